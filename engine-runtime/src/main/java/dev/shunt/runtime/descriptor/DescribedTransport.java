package dev.shunt.runtime.descriptor;

import java.util.List;

/**
 * A transport of the described node.
 *
 * @param rails in their fixed order; keys pair with them by place
 */
public record DescribedTransport(List<DescribedRail> rails) {
  /** Copies. */
  public DescribedTransport {
    rails = List.copyOf(rails);
  }
}
