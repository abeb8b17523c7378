package dev.shunt.transport.rdma.testing;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Attempts;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.Wires;

/** Any other context, with a hand on what reaches the transport over the control plane. */
public final class TamperedContext implements TransportContext, ControlPlane {
  private final TransportContext context;
  private RequestHandler handler = (request, reply) -> {};
  private int duplicates;

  /** Over this one. */
  public TamperedContext(TransportContext context) {
    this.context = context;
  }

  /** Each of the next requests shows up twice. */
  public void duplicate(int requests) {
    duplicates = requests;
  }

  /** A request that nobody made. */
  public void ask(byte[] request) {
    context.supervisor().execute(() -> handler.handle(request, answer -> {}));
  }

  @Override
  public void serve(int function, RequestHandler with) {
    handler = with;
    context
        .control()
        .serve(
            function,
            (request, reply) -> {
              with.handle(request, reply);
              if (duplicates > 0) {
                duplicates--;
                ask(request);
              }
            });
  }

  @Override
  public void call(
      Remote.Node peer, int function, byte[] request, long deadline, ReplyHandler answer) {
    context.control().call(peer, function, request, deadline, answer);
  }

  @Override
  public ControlPlane control() {
    return this;
  }

  @Override
  public Config config() {
    return context.config();
  }

  @Override
  public String node() {
    return context.node();
  }

  @Override
  public long generation() {
    return context.generation();
  }

  @Override
  public long now() {
    return context.now();
  }

  @Override
  public long random() {
    return context.random();
  }

  @Override
  public int lanes() {
    return context.lanes();
  }

  @Override
  public Mailbox lane(int lane) {
    return context.lane(lane);
  }

  @Override
  public Supervisor supervisor() {
    return context.supervisor();
  }

  @Override
  public Regions regions() {
    return context.regions();
  }

  @Override
  public Wires wires() {
    return context.wires();
  }

  @Override
  public Attempts attempts() {
    return context.attempts();
  }
}
