package dev.shunt.transport.tcp.links;

/**
 * A netlink socket of the family for routes, in the groups for links and addresses. One thread at a
 * time, but for {@link #wake}.
 */
interface RouteSocket {
  /** {@link #receive}: nothing is there. */
  int NOTHING = -1;

  /** {@link #receive}: the kernel had to drop messages, and only a dump tells what is. */
  int DROPPED = -2;

  /**
   * Sends a request.
   *
   * @throws LinkException if the kernel does not take it
   */
  void send(byte[] message);

  /**
   * Takes what is there. Never blocks.
   *
   * @return its length, which is more than there is room for where its end is lost; 0 for something
   *     that is not from the kernel; {@link #NOTHING}; {@link #DROPPED}
   * @throws LinkException if the socket is broken
   */
  int receive(byte[] into);

  /**
   * Waits until something is there.
   *
   * @return false if the time has passed, or it was woken
   * @throws LinkException if that cannot be waited for
   */
  boolean await(long nanos);

  /** Ends {@link #await}, and each one after it. Any thread, until it is closed. */
  void wake();

  /** Closes its files. */
  void close();
}
