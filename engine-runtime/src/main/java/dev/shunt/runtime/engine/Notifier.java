package dev.shunt.runtime.engine;

import dev.shunt.api.Delivery;
import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Notification;
import dev.shunt.api.spi.Fault;
import dev.shunt.runtime.control.CallHandler;
import dev.shunt.runtime.control.ControlService;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.core.NotifyCodec;
import dev.shunt.runtime.peer.RemoteState;
import java.util.function.Consumer;

/** Sends notifications: raw, at most once, over the control plane. */
final class Notifier {
  private final ControlService control;
  private final boolean plainPeers;

  /**
   * @param plainPeers whether plain peers are sent any
   */
  Notifier(ControlService control, boolean plainPeers) {
    this.control = control;
    this.plainPeers = plainPeers;
  }

  /** Sends one; the answer comes once, by the deadline, on any thread. */
  void send(RemoteState peer, Notification notification, long deadline, Consumer<Delivery> answer) {
    if (peer.control().isEmpty()) {
      answer.accept(
          new Delivery.NotDelivered(
              Failure.of(
                  FailureCode.UNSUPPORTED,
                  peer.remote().name() + " is a storage target: it takes no notifications")));
      return;
    }
    if (peer.stale() != null) {
      answer.accept(new Delivery.NotDelivered(peer.stale()));
      return;
    }
    if (peer.plain() && !plainPeers) {
      answer.accept(
          new Delivery.NotDelivered(
              Failure.of(
                  FailureCode.UNSUPPORTED,
                  peer.remote().name()
                      + " is a plain peer, and shunt.notification.rpc-fallback is false")));
      return;
    }
    if (peer.plain() && peer.view().listsRdma()) {
      // It takes notifications from the first transport it has, and looks at no other.
      answer.accept(
          new Delivery.Unknown(
              Failure.of(
                  FailureCode.UNKNOWN_DELIVERY,
                  peer.remote().name()
                      + " is a plain peer with RDMA: it would not look at what comes over its"
                      + " control plane, so nothing was sent")));
      return;
    }
    control.call(
        peer.control(),
        Functions.NOTIFY,
        NotifyCodec.write(notification),
        deadline,
        new CallHandler() {
          @Override
          public void reply(byte[] attachment) {
            answer.accept(new Delivery.Delivered());
          }

          @Override
          public void failed(Fault fault) {
            answer.accept(failure(peer, fault));
          }
        });
  }

  /** Whether the peer says itself that it did not take it. */
  private static boolean refused(Fault fault) {
    return fault.blame() == Fault.Blame.REMOTE
        && (fault.code() == FailureCode.BUSY || fault.code() == FailureCode.CLOSED);
  }

  private static Delivery failure(RemoteState peer, Fault fault) {
    var name = peer.remote().name();
    if (fault.effect() == Fault.Effect.NONE || refused(fault)) {
      return new Delivery.NotDelivered(Failure.of(fault.code(), name + ": " + fault.text()));
    }
    return new Delivery.Unknown(
        Failure.of(
            FailureCode.UNKNOWN_DELIVERY,
            name + " may have it, or may not; it was not sent again: " + fault.text()));
  }
}
