package dev.shunt.runtime.engine;

import dev.shunt.api.FailureCode;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.control.ControlService;
import dev.shunt.runtime.control.HelloHandler;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.core.HelloDesk;
import dev.shunt.runtime.control.core.Linger;
import dev.shunt.runtime.control.core.Refusals;
import dev.shunt.runtime.observe.CallMeter;
import java.util.concurrent.TimeUnit;

/**
 * The last moments of a node's control plane. Peers whose transfers were cut ask who is there, and
 * whether what they had sent may still land: without an answer they would wait for one until their
 * deadlines.
 */
final class Farewell {
  private static final long GLANCE = TimeUnit.MILLISECONDS.toNanos(5);
  private static final String CLOSES = "the node closes";

  private final ControlService control;
  final FenceDesk fences;
  private final HelloDesk greetings;
  private final boolean extension;
  private final Platform platform;

  /**
   * Nothing closes yet.
   *
   * @param extension whether peers may say Hello
   */
  Farewell(
      ControlService control,
      FenceDesk fences,
      HelloDesk greetings,
      boolean extension,
      Platform platform) {
    this.control = control;
    this.fences = fences;
    this.greetings = greetings;
    this.extension = extension;
    this.platform = platform;
  }

  /** Nobody is met any more; nor is a notification taken, which nobody would read. */
  void begin() {
    if (extension) {
      control.serve(Functions.HELLO, new HelloHandler(greetings::closing));
    }
    control.serve(Functions.NOTIFY, (_, _, reply) -> reply.fail(FailureCode.CLOSED, CLOSES));
  }

  /**
   * The lanes have ended, and the transports are about to.
   *
   * @param gone whether no memory can be reached any more
   * @param until when the node has to be closed
   */
  Linger gone(boolean gone, long until, long notice) {
    fences.close(gone);
    return new Linger(platform.now(), until, notice, questions());
  }

  /** The transports are closed: answers as long as it has to. */
  void stay(Linger linger) throws InterruptedException {
    // Whole, as from a transport that refuses: a plain peer reads it as JSON.
    control.serve(
        Functions.BOOTSTRAP_RDMA,
        (_, _, reply) -> reply.send(Refusals.bootstrap("CLOSING: " + CLOSES)));
    while (!linger.over(platform.now(), questions())) {
      platform.pause(GLANCE);
    }
  }

  private long questions() {
    return control.meter().counts().stream()
        .filter(Farewell::asks)
        .mapToLong(CallMeter.Count::served)
        .sum();
  }

  private static boolean asks(CallMeter.Count count) {
    return count.function().equals(Functions.name(Functions.HELLO))
        || count.function().equals(Functions.name(Functions.FENCE));
  }
}
