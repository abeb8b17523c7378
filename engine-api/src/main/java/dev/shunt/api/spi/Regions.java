package dev.shunt.api.spi;

/**
 * This node's registered memory, for the passive side of a transport that applies requests by
 * itself. Any lane may call it; allocates nothing.
 */
public interface Regions {
  /**
   * Checks that a remote may reach a range, and holds its registration until the lease is released.
   * The range must lie within one registration.
   *
   * @param address the first byte, as the remote names it
   * @param length bytes, 0 or more; unsigned values above {@link Long#MAX_VALUE} are out of range
   * @param key the registration's {@link Region#id()}, or 0 where the wire carries none
   * @param write whether the remote would change it
   * @param lease set when {@link Refusal#NONE} is answered; must not hold anything
   */
  Refusal acquire(long address, long length, long key, boolean write, Lease lease);

  /** Why a remote may not reach a range. */
  enum Refusal {
    /** It may. */
    NONE,
    /** No registration holds the first byte, or the range leaves the registration. */
    RANGE,
    /** The registration does not allow this operation. */
    ACCESS,
    /** The key is that of another, older registration. */
    KEY
  }
}
