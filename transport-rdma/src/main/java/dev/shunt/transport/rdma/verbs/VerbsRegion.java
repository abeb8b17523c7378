package dev.shunt.transport.rdma.verbs;

/** A memory region. */
public interface VerbsRegion {
  /** The key for the local side of a work request. */
  int lkey();

  /** The key for peers. */
  int rkey();

  /**
   * Deregisters it: from here on no key opens it.
   *
   * @return 0, or the error number; it then stays registered
   */
  int close();
}
