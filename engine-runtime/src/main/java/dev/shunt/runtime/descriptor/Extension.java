package dev.shunt.runtime.descriptor;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a node of ours tells beyond TENT's descriptor.
 *
 * @param version of the key's form, from 1
 * @param generation the node's generation, never 0
 * @param control {@code host:port} of each place where the control plane listens, at least one
 * @param transports by id, sorted
 */
public record Extension(
    int version,
    long generation,
    List<String> control,
    Map<String, DescribedTransport> transports) {
  /** What this code writes. */
  public static final int VERSION = 1;

  /** Copies and sorts. */
  public Extension {
    if (version < 1 || generation == 0 || control.isEmpty()) {
      throw new IllegalArgumentException(
          "version "
              + version
              + ", generation "
              + Long.toUnsignedString(generation)
              + ", control addresses "
              + control
              + ": a version from 1, a generation and at least one address are told");
    }
    control = List.copyOf(control);
    transports = Collections.unmodifiableMap(new TreeMap<>(transports));
  }
}
