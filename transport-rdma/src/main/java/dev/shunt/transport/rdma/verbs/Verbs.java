package dev.shunt.transport.rdma.verbs;

import java.util.List;

/** The RDMA devices of a machine. */
public interface Verbs {
  /** Access by the local device: needed wherever bytes arrive. */
  int ACCESS_LOCAL_WRITE = 1;

  /** Access by writes of peers; needs {@link #ACCESS_LOCAL_WRITE} too. */
  int ACCESS_REMOTE_WRITE = 1 << 1;

  /** Access by reads of peers. */
  int ACCESS_REMOTE_READ = 1 << 2;

  /**
   * Their names, in the order of the system; empty on a machine without RDMA.
   *
   * @throws VerbsException if they cannot be listed
   */
  List<String> devices();

  /**
   * Opens a device, with a protection domain.
   *
   * @param ready called when {@link VerbsDevice#nextEvent} may have something, on any thread, where
   *     {@link VerbsDevice#polled()} is false
   * @throws VerbsException if there is none of this name, or it cannot be had
   */
  VerbsDevice open(String name, Runnable ready);

  /**
   * The verbs of this machine, by libibverbs.
   *
   * @throws VerbsUnavailableException with reason and remedy, where there is no such library
   */
  static Verbs system() {
    return new FfmVerbs();
  }
}
