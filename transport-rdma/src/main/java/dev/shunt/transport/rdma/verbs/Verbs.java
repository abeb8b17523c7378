package dev.shunt.transport.rdma.verbs;

import java.util.List;
import java.util.Optional;

/** The RDMA devices of a machine. */
public interface Verbs {
  /** Access by the local device: needed wherever bytes arrive. */
  int ACCESS_LOCAL_WRITE = 1;

  /** Access by writes of peers; needs {@link #ACCESS_LOCAL_WRITE} too. */
  int ACCESS_REMOTE_WRITE = 1 << 1;

  /** Access by reads of peers. */
  int ACCESS_REMOTE_READ = 1 << 2;

  /**
   * Lets the device put what arrives into memory in any order, which is faster on some machines. A
   * completion still comes after the bytes that it speaks of. Devices and libraries may refuse it.
   */
  int ACCESS_RELAXED_ORDERING = 1 << 20;

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
   * What keeps this machine from having verbs, as far as that shows without opening a device: the
   * library, or rights of this process to call it. With the remedy; empty if nothing does.
   */
  static Optional<String> missing() {
    try {
      FfmLibrary.get();
      return Optional.empty();
    } catch (VerbsUnavailableException e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * The verbs of this machine, by libibverbs.
   *
   * @throws VerbsUnavailableException with reason and remedy, where there is no such library
   */
  static Verbs system() {
    return new FfmVerbs(FfmLibrary.get());
  }
}
