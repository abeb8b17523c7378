package dev.shunt.runtime.transfer.core;

import java.util.List;

/**
 * The rails of one side for memory, by place. What is in neither list is not used for it. Without
 * such an order all rails are preferred.
 *
 * @param preferred are taken first
 * @param available are taken when none of those can be
 */
public record RailOrder(List<Integer> preferred, List<Integer> available) {
  /** Copies. */
  public RailOrder {
    preferred = List.copyOf(preferred);
    available = List.copyOf(available);
  }

  /** Whether there is no rail at all. */
  public boolean isEmpty() {
    return preferred.isEmpty() && available.isEmpty();
  }
}
