package dev.shunt.transport.nof.core;

/**
 * How a controller is brought up and kept.
 *
 * @param keepAlive the keep-alive timeout in nanoseconds; 0 for none
 * @param pollInterval how often its clock is looked at, in nanoseconds; a quarter of the timeout at
 *     most
 * @param queues how many I/O queues to ask for
 * @param where its name in messages
 */
public record ControllerSetup(long keepAlive, long pollInterval, int queues, String where) {
  /** Checks the interval. */
  public ControllerSetup {
    if (pollInterval < 1 || keepAlive > 0 && pollInterval > keepAlive / 4) {
      throw new IllegalArgumentException(
          "a poll interval of " + pollInterval + " ns is not a quarter of the keep-alive timeout");
    }
  }
}
