package dev.shunt.api.sim;

/**
 * What would be a thread in a real process: a lane, a supervisor, a steward. The world runs it in
 * turns; a turn takes no virtual time and never blocks.
 */
public interface Actor {
  /**
   * Moves on whatever can be moved on.
   *
   * @return how much was done; with more than 0 another turn follows soon, with 0 the next one
   *     comes at {@link #nextDeadline()} or when the actor's {@link Turn} is woken
   */
  int work(long now);

  /** When it wants a turn in any case; {@link Long#MAX_VALUE} for never. */
  default long nextDeadline() {
    return Long.MAX_VALUE;
  }
}
