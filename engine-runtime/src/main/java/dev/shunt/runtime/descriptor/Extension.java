package dev.shunt.runtime.descriptor;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a node of ours tells beyond TENT's descriptor.
 *
 * @param version of the key's form, from 1
 * @param generation the node's generation, never 0
 * @param revision counts what this generation told: of two texts the one with the higher number is
 *     the newer; 0 if it is not told
 * @param control {@code host:port} of each place where the control plane listens, at least one
 * @param transports by id, sorted
 * @param echo what others may read to see whether a path works, if there is such
 */
public record Extension(
    int version,
    long generation,
    long revision,
    List<String> control,
    Map<String, DescribedTransport> transports,
    Optional<DescribedEcho> echo) {
  /** What this code writes. */
  public static final int VERSION = 1;

  /** Copies and sorts. */
  public Extension {
    if (version < 1 || generation == 0 || revision < 0 || control.isEmpty()) {
      throw new IllegalArgumentException(
          "version "
              + version
              + ", generation "
              + Long.toUnsignedString(generation)
              + ", revision "
              + revision
              + ", control addresses "
              + control
              + ": a version from 1, a generation, a revision from 0 and at least one address are"
              + " told");
    }
    control = List.copyOf(control);
    transports = Collections.unmodifiableMap(new TreeMap<>(transports));
  }

  /** Without what came later to version 1. */
  public Extension(
      int version,
      long generation,
      List<String> control,
      Map<String, DescribedTransport> transports) {
    this(version, generation, 0, control, transports, Optional.empty());
  }
}
