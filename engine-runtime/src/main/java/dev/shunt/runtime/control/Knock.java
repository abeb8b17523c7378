package dev.shunt.runtime.control;

import dev.shunt.api.spi.Fault;
import dev.shunt.runtime.control.core.Functions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Asks all addresses of one node at once whether it is there. Any thread. */
public final class Knock {
  private static final byte[] NOTHING = {};

  private final AtomicInteger open;
  private final Consumer<Boolean> answer;

  private Knock(int addresses, Consumer<Boolean> answer) {
    this.open = new AtomicInteger(addresses);
    this.answer = answer;
  }

  /**
   * Asks.
   *
   * @param addresses {@code host:port} of its control plane
   * @param deadline in nanoseconds
   * @param answer called once: true as soon as one of them answers, false when none did
   */
  public static void at(
      ControlService control, List<String> addresses, long deadline, Consumer<Boolean> answer) {
    if (addresses.isEmpty()) {
      answer.accept(false);
      return;
    }
    var knock = new Knock(addresses.size(), answer);
    for (var address : addresses) {
      control.call(address, Functions.PROBE, NOTHING, deadline, knock.new Door());
    }
  }

  private final class Door implements CallHandler {
    @Override
    public void reply(byte[] attachment) {
      if (open.getAndSet(0) > 0) {
        answer.accept(true);
      }
    }

    @Override
    public void failed(Fault fault) {
      // Past an answer nothing is open any more, and nothing is to be told.
      if (open.getAndUpdate(left -> Math.max(0, left - 1)) == 1) {
        answer.accept(false);
      }
    }
  }
}
