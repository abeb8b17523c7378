package dev.shunt.runtime.control.core;

import java.util.concurrent.TimeUnit;

/**
 * How long a node that closes still answers: as long as it is asked what became of what was under
 * way to it, and a moment longer, since an answer may lead to the next question. Times are in
 * nanoseconds of the caller's clock.
 */
public final class Linger {
  /** Who asks does so within this time, whatever the way to it. */
  public static final long QUIET = TimeUnit.MILLISECONDS.toNanos(200);

  /** It ends so long after all can have found out, in any case. */
  public static final long MOST = TimeUnit.MILLISECONDS.toNanos(500);

  private final long notice;
  private final long end;
  private long since;
  private long questions;

  /**
   * Nothing of the node can be reached any more.
   *
   * @param until when it has to be closed
   * @param notice when all that have something under way to it have found out, if nothing is in
   *     their way
   * @param questions how many there were, ever: where there were none nobody has met the node, and
   *     nobody will ask
   */
  public Linger(long now, long until, long notice, long questions) {
    this.notice = notice - now > 0 ? notice : now;
    long most = this.notice + MOST;
    this.end = questions == 0 ? now : until - most < 0 ? until : most;
    this.since = now;
    this.questions = questions;
  }

  /**
   * Whether it has lasted long enough.
   *
   * @param asked how many questions there were by now
   */
  public boolean over(long now, long asked) {
    if (asked != questions) {
      questions = asked;
      since = now;
    }
    return now - end >= 0 || (now - notice >= QUIET && now - since >= QUIET);
  }
}
