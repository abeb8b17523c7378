package dev.shunt.api;

/**
 * What was left when draining ended.
 *
 * @param transfers of this engine that have not settled
 * @param bytes of theirs that are in flight or drain
 * @param uses of registered memory that go on: by those transfers, and by requests of peers
 * @param quarantinedBytes of slices that were given up on
 * @param inbound requests of peers that are under way, those among the uses that are not this
 *     engine's own; 1 at least if peers asked for more until the end, though none is at this very
 *     moment. What a fabric does to registered memory by itself (RDMA) is not seen
 */
public record Drained(int transfers, long bytes, int uses, long quarantinedBytes, int inbound) {
  /** Whether closing now cuts off what a peer began. */
  public boolean cutsPeers() {
    return inbound > 0;
  }

  /** Whether closing now cuts nothing off that this engine began, and leaves no memory behind. */
  public boolean clean() {
    return transfers == 0 && quarantinedBytes == 0;
  }
}
