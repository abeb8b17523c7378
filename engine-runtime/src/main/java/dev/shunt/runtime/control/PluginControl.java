package dev.shunt.runtime.control;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.Remote;
import dev.shunt.runtime.control.core.Functions;
import java.util.List;
import java.util.function.Function;

/** The control plane as one transport sees it: all handlers run on its supervisor. */
public final class PluginControl implements ControlPlane {
  private final ControlService service;
  private final Mailbox supervisor;
  private final Function<Remote.Node, List<String>> addresses;

  /**
   * Lends the control plane to a transport.
   *
   * @param supervisor the transport's
   * @param addresses where a node's control plane is; empty if nobody knows; called on any thread
   */
  public PluginControl(
      ControlService service, Mailbox supervisor, Function<Remote.Node, List<String>> addresses) {
    this.service = service;
    this.supervisor = supervisor;
    this.addresses = addresses;
  }

  @Override
  public void call(
      Remote.Node peer, int function, byte[] request, long deadline, ReplyHandler handler) {
    var where = addresses.apply(peer);
    if (where.isEmpty()) {
      var fault =
          new Fault(
              Blame.REQUEST,
              FailureCode.UNKNOWN_SEGMENT,
              Effect.NONE,
              Functions.name(function) + ": no address of " + peer.name() + " is known");
      supervisor.execute(() -> handler.failed(fault));
      return;
    }
    service.call(
        where,
        function,
        request,
        deadline,
        new CallHandler() {
          @Override
          public void reply(byte[] attachment) {
            supervisor.execute(() -> handler.reply(attachment));
          }

          @Override
          public void failed(Fault fault) {
            supervisor.execute(() -> handler.failed(fault));
          }
        });
  }

  /**
   * Serves a function: one of the plug-ins' own, or the bootstrap, which the runtime does not serve
   * itself.
   *
   * @throws IllegalArgumentException if the function is the runtime's
   */
  @Override
  public void serve(int function, RequestHandler handler) {
    if (function < Functions.FIRST_OF_PLUGINS && function != Functions.BOOTSTRAP_RDMA) {
      throw new IllegalArgumentException(
          Functions.name(function)
              + " (id "
              + function
              + ") is the runtime's; a plug-in's own begin at "
              + Functions.FIRST_OF_PLUGINS);
    }
    service.serve(
        function,
        (request, peer, reply) -> {
          if (!supervisor.execute(() -> handler.handle(request, reply::send))) {
            reply.fail(FailureCode.CLOSED, "the transport that serves it is closed");
          }
        });
  }
}
