package dev.shunt.transport.rdma.verbs;

/**
 * A completion queue, and a cursor over those that the last {@link #poll} took out. Owned by one
 * thread; allocates nothing.
 */
public interface VerbsCq {
  /** How many completions it holds. */
  int depth();

  /**
   * Whether it has to be polled to learn of a completion; otherwise whoever polls it is given a
   * turn when there is one.
   */
  boolean polled();

  /**
   * Takes completions out.
   *
   * @return how many, each readable by its index until the next call; 0 if there is none; below 0
   *     if the queue is broken
   */
  int poll();

  /** The id that the work request was posted with. */
  long wrId(int index);

  /** 0, or why it failed: {@code enum ibv_wc_status}. */
  int status(int index);

  /** The device's own error number, where the status is not 0. */
  int vendorError(int index);

  /** How many bytes a receive got, where its status is 0. */
  int length(int index);

  /** The number of its QP. */
  int qpNumber(int index);

  /**
   * Destroys it, after its QPs.
   *
   * @return 0, or the error number
   */
  int close();
}
