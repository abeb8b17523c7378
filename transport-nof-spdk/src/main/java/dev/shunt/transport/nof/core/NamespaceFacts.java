package dev.shunt.transport.nof.core;

/**
 * What a controller told of a namespace.
 *
 * @param namespace its number
 * @param blocks how many blocks it has
 * @param blockSize bytes of a block, a power of two
 * @param identity what makes it this one and no other: its UUID, NGUID or EUI-64; empty if the
 *     controller tells none
 */
public record NamespaceFacts(long namespace, long blocks, int blockSize, String identity) {
  /** Bytes that can be addressed. */
  public long size() {
    return blocks * blockSize;
  }

  /** Whether data that was written to the one is to be found in the other. */
  public boolean same(NamespaceFacts other) {
    return namespace == other.namespace
        && blocks == other.blocks
        && blockSize == other.blockSize
        && identity.equals(other.identity);
  }
}
