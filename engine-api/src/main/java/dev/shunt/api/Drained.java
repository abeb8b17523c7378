package dev.shunt.api;

/**
 * What was left when draining ended.
 *
 * @param transfers of this engine that have not settled
 * @param bytes of theirs that are in flight or drain
 * @param uses of registered memory that go on: by those transfers, and by requests of peers
 * @param quarantinedBytes of slices that were given up on
 */
public record Drained(int transfers, long bytes, int uses, long quarantinedBytes) {
  /** Whether closing now cuts nothing off that this engine began, and leaves no memory behind. */
  public boolean clean() {
    return transfers == 0 && quarantinedBytes == 0;
  }
}
