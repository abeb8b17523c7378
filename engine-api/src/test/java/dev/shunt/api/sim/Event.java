package dev.shunt.api.sim;

/** Something that happens at a time. Made once and scheduled again and again. */
public abstract class Event {
  long time;
  long tie;
  int place = -1;

  /** For subclasses. */
  protected Event() {}

  /** It is time. */
  protected abstract void fire(long now);

  /** Whether it waits for its time. */
  public final boolean scheduled() {
    return place >= 0;
  }

  /** When it fires, if it is scheduled. */
  public final long time() {
    return time;
  }

  final boolean before(Event other) {
    return time != other.time ? time < other.time : tie < other.tie;
  }
}
