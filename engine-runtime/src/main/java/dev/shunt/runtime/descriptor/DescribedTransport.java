package dev.shunt.runtime.descriptor;

import java.util.List;

/**
 * A transport of the described node.
 *
 * @param rails in their fixed order; keys pair with them by place
 * @param topology which of them are near to which memory
 */
public record DescribedTransport(List<DescribedRail> rails, RailMatrix topology) {
  /** Copies. */
  public DescribedTransport {
    rails = List.copyOf(rails);
  }

  /** One of whose rails all are near to everything. */
  public DescribedTransport(List<DescribedRail> rails) {
    this(rails, RailMatrix.NONE);
  }
}
