package dev.shunt.transport.nof.core;

/**
 * What one qpair is to be.
 *
 * @param queue its number; 0 is the admin queue
 * @param entries of its submission queue: one more than the commands that it holds at once
 * @param controller the number that the admin queue's Connect brought, or 0xffff for that one
 * @param subsystem the NQN of the target
 * @param host who we are
 * @param keepAlive in nanoseconds, 0 for none; only told on the admin queue
 * @param inCapsule the most bytes of a write that go with the command
 * @param headerDigest whether to ask for it
 * @param dataDigest whether to ask for it
 * @param connectTimeout nanoseconds for the connection and the Connect together
 * @param commandTimeout nanoseconds for a command
 * @param where the qpair's name in messages
 */
public record QueueSetup(
    int queue,
    int entries,
    int controller,
    byte[] subsystem,
    Host host,
    long keepAlive,
    long inCapsule,
    boolean headerDigest,
    boolean dataDigest,
    long connectTimeout,
    long commandTimeout,
    String where) {
  /** What a controller number is until there is one. */
  public static final int ANY_CONTROLLER = 0xffff;

  /** The most entries: command ids name a slot by 12 bits. */
  public static final int MAX_ENTRIES = 4095;

  /** Checks the numbers. */
  public QueueSetup {
    if (entries < 2 || entries > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          "a queue has 2 to " + MAX_ENTRIES + " entries, not " + entries);
    }
  }

  /** The same, but connected within so many nanoseconds at most. */
  public QueueSetup within(long nanos) {
    return new QueueSetup(
        queue,
        entries,
        controller,
        subsystem,
        host,
        keepAlive,
        inCapsule,
        headerDigest,
        dataDigest,
        Math.min(connectTimeout, Math.max(nanos, 0)),
        commandTimeout,
        where);
  }

  /**
   * A host as it names itself.
   *
   * @param high the first half of its id
   * @param low the second half
   * @param nqn its name
   */
  public record Host(long high, long low, byte[] nqn) {}
}
