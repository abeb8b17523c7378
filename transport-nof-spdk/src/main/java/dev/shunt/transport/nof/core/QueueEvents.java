package dev.shunt.transport.nof.core;

import dev.shunt.api.spi.Fault;

/** What a {@link Queue} tells. Each may submit commands, or end the queue, before it returns. */
public interface QueueEvents {
  /** It takes commands. */
  void live(int controller, long now);

  /**
   * A command ended, and its memory is left alone.
   *
   * @param owner as given to {@link Queue#take}
   * @param status see {@link NvmeStatus}
   * @param result the first 64 bits of the completion
   */
  void completed(Object owner, int status, long result, long now);

  /**
   * The queue is about to be over: the stream is to be closed at once, after what the sender still
   * holds if that goes out without waiting. From the return on no memory of a command is touched.
   */
  void closing(long now);

  /**
   * A command will not end, since the queue is over. All of these come after {@link #closing} and
   * before {@link #over}, oldest command first.
   *
   * @param effect for a write, whether data of it may have reached the target
   */
  void aborted(Object owner, Fault.Effect effect, Fault cause, long now);

  /** The queue is over: once. */
  void over(Fault cause, long now);
}
