package dev.shunt.transport.rdma.core;

/** Path MTUs, as {@code enum ibv_mtu}: 1 stands for 256 bytes, each further one for twice that. */
public final class PathMtu {
  /** The smallest. */
  public static final int MIN = 1;

  /** The largest: 4096 bytes. */
  public static final int MAX = 5;

  private PathMtu() {}

  /** The constant for a number of bytes, or 0 if there is none. */
  public static int ofBytes(long bytes) {
    for (int mtu = MIN; mtu <= MAX; mtu++) {
      if (bytes(mtu) == bytes) {
        return mtu;
      }
    }
    return 0;
  }

  /** The bytes of a constant. */
  public static int bytes(int mtu) {
    return 128 << mtu;
  }

  /** Whether there is such a constant. */
  public static boolean valid(int mtu) {
    return mtu >= MIN && mtu <= MAX;
  }

  /**
   * The lower of what both sides can take: with different ones an RC connection comes up and then
   * loses every long message.
   *
   * @param ours what our side takes
   * @param peer what the peer says, or 0 if it says nothing
   */
  public static int settle(int ours, int peer) {
    return peer == 0 ? ours : Math.min(ours, peer);
  }
}
