package dev.shunt.api.contract;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Remote;
import java.util.TreeMap;

/** The control plane between contract hosts: messages that the stage carries. */
final class HostControl implements ControlPlane {
  private final ContractHost host;
  private final TreeMap<Integer, RequestHandler> functions = new TreeMap<>();

  HostControl(ContractHost host) {
    this.host = host;
  }

  @Override
  public void serve(int function, RequestHandler handler) {
    if (functions.putIfAbsent(function, handler) != null) {
      throw new IllegalStateException("function " + function + " is served already");
    }
  }

  @Override
  public void call(
      Remote.Node peer, int function, byte[] request, long deadline, ReplyHandler handler) {
    var call = new Call(handler);
    call.timer =
        host.supervisor()
            .at(
                deadline,
                () ->
                    call.fail(
                        new Fault(
                            Blame.REMOTE,
                            FailureCode.DEADLINE,
                            Effect.NONE,
                            "no answer of " + peer.name() + " to function " + function)));
    var copy = request.clone();
    var target = host.directory().get(peer.name());
    if (target == null || host.silent()) {
      return;
    }
    host.stage().send(peer.name(), () -> target.control().arrived(function, copy, host, call));
  }

  private void arrived(int function, byte[] request, ContractHost from, Call call) {
    if (host.silent() || host.closed()) {
      return;
    }
    host.supervisor()
        .execute(
            () -> {
              var handler = functions.get(function);
              Reply reply = answer -> reply(answer.clone(), from, call);
              if (handler == null) {
                reply.send(new byte[0]);
              } else {
                handler.handle(request, reply);
              }
            });
  }

  private void reply(byte[] answer, ContractHost to, Call call) {
    if (host.silent()) {
      return;
    }
    host.stage().send(to.name(), () -> to.supervisor().execute(() -> call.answer(answer)));
  }

  private static final class Call {
    private final ReplyHandler handler;
    private dev.shunt.api.spi.Supervisor.Timer timer;
    private boolean over;

    Call(ReplyHandler handler) {
      this.handler = handler;
    }

    void answer(byte[] answer) {
      if (!over) {
        over = true;
        timer.cancel();
        handler.reply(answer);
      }
    }

    void fail(Fault fault) {
      if (!over) {
        over = true;
        handler.failed(fault);
      }
    }
  }
}
