package dev.shunt.transport.rdma.verbs;

/** An asynchronous event; filled again and again. */
public final class AsyncEvent {
  private int type;
  private int subject;

  /** One that tells nothing yet. */
  public AsyncEvent() {}

  /** Called by the implementation. */
  public void set(int type, int subject) {
    this.type = type;
    this.subject = subject;
  }

  /** What happened: {@code enum ibv_event_type}. */
  public int type() {
    return type;
  }

  /** The port's number, or the QP's, where the event is about one; else 0. */
  public int subject() {
    return subject;
  }
}
