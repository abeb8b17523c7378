package dev.shunt.runtime.admin.core;

/**
 * Tells which of several threads stand still, from the counts of their turns. It is asked at a
 * regular beat, before which each thread was woken: one that is alive has had a turn by the next
 * beat.
 */
public final class Pulse {
  /** Beats that fail to come are our own freeze, and blamed on nobody. */
  private static final int MISSED_BEATS = 3;

  private final long patience;
  private final long period;
  private final long[] turns;
  private final long[] movedAt;
  private final boolean[] stuck;
  private long lastBeat;

  /**
   * All move so far.
   *
   * @param threads how many
   * @param patience how long one may stand still, in nanoseconds
   * @param period between two beats, in nanoseconds
   */
  public Pulse(int threads, long patience, long period, long now) {
    this.patience = patience;
    this.period = period;
    this.turns = new long[threads];
    this.movedAt = new long[threads];
    this.stuck = new boolean[threads];
    this.lastBeat = now;
    java.util.Arrays.fill(movedAt, now);
    java.util.Arrays.fill(turns, -1);
  }

  /** The next beat begins; {@link #look} at each thread follows. */
  public void beat(long now) {
    var late = now - lastBeat - period;
    if (late > (MISSED_BEATS - 1) * period) {
      for (int i = 0; i < movedAt.length; i++) {
        movedAt[i] += late;
      }
    }
    lastBeat = now;
  }

  /**
   * Looks at a thread.
   *
   * @param count its turns so far
   * @return whether it changed between moving and standing still
   */
  public boolean look(int thread, long count, long now) {
    if (turns[thread] != count) {
      turns[thread] = count;
      movedAt[thread] = now;
    }
    var still = now - movedAt[thread] > patience;
    var changed = still != stuck[thread];
    stuck[thread] = still;
    return changed;
  }

  /** Whether a thread stands still. */
  public boolean stuck(int thread) {
    return stuck[thread];
  }

  /** How long a thread has not moved, in nanoseconds. */
  public long silence(int thread, long now) {
    return now - movedAt[thread];
  }
}
