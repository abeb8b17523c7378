package dev.shunt.api;

/** What remotes may do with registered memory. */
public enum Access {
  /** Nothing: it is only a source of writes and a destination of reads. */
  LOCAL(false, false),
  /** Read it. */
  REMOTE_READ(true, false),
  /** Write it. */
  REMOTE_WRITE(false, true),
  /** Read and write it. */
  REMOTE_READ_WRITE(true, true);

  private final boolean readable;
  private final boolean writable;

  Access(boolean readable, boolean writable) {
    this.readable = readable;
    this.writable = writable;
  }

  /** Whether remotes may read. */
  public boolean readable() {
    return readable;
  }

  /** Whether remotes may write. */
  public boolean writable() {
    return writable;
  }
}
