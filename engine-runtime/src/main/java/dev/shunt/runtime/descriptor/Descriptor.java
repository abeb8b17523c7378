package dev.shunt.runtime.descriptor;

import java.util.List;
import java.util.Optional;

/**
 * A node's segment: its memory, and the ways to it. Immutable.
 *
 * @param name the segment's name
 * @param machineId tells nodes on one machine; empty if it is not told
 * @param controlAddress {@code host:port} of the control plane, as TENT peers call it
 * @param buffers in the order of their registration
 * @param devices RDMA devices, in their fixed order; rkeys pair with them by place
 * @param topology TENT's topology, a JSON text, or empty; see {@link Topology}
 * @param extension our own key; empty for a plain peer
 */
public record Descriptor(
    String name,
    String machineId,
    String controlAddress,
    List<DescribedBuffer> buffers,
    List<DescribedDevice> devices,
    String topology,
    Optional<Extension> extension) {
  /** Copies. */
  public Descriptor {
    buffers = List.copyOf(buffers);
    devices = List.copyOf(devices);
  }

  /** Whether the node is none of ours: nothing but TENT's own protocol is spoken to it. */
  public boolean plain() {
    return extension.isEmpty();
  }

  /** The node's generation, or 0 if it tells none. */
  public long generation() {
    return extension.map(Extension::generation).orElse(0L);
  }

  /** Where its control plane listens, at least one address. */
  public List<String> control() {
    return extension.map(Extension::control).orElseGet(() -> List.of(controlAddress));
  }
}
