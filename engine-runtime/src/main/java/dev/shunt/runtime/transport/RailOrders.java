package dev.shunt.runtime.transport;

import dev.shunt.runtime.descriptor.RailMatrix;
import dev.shunt.runtime.transfer.core.RailOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A priority matrix in places of rails: which rails are for memory, by where that lies. Names that
 * are no rail's are left out. Immutable.
 */
public final class RailOrders {
  private static final String ELSE = "*";

  private final Map<String, RailOrder> orders = new HashMap<>();

  /**
   * Resolves names.
   *
   * @param rails their names, by place
   */
  public RailOrders(RailMatrix matrix, List<String> rails) {
    matrix
        .locations()
        .forEach(
            (location, ranks) ->
                orders.put(
                    location,
                    new RailOrder(
                        places(ranks.preferred(), rails), places(ranks.available(), rails))));
  }

  private static List<Integer> places(List<String> names, List<String> rails) {
    return names.stream().map(rails::indexOf).filter(place -> place >= 0).toList();
  }

  /** The order for memory; null if all rails are alike to it. */
  public RailOrder of(String location) {
    if (orders.isEmpty()) {
      return null;
    }
    var own = orders.get(location);
    return own != null ? own : orders.get(ELSE);
  }
}
