package dev.shunt.runtime.control;

import dev.shunt.api.spi.WireException;
import java.util.List;

/** Tells what is wrong on this side from what is wrong on the other. */
public final class OwnTrouble {
  /** What Linux says when this node's own side has no way out. */
  private static final List<String> OURS =
      List.of("Network is down", "Network is unreachable", "Cannot assign requested address");

  private OwnTrouble() {}

  /** Whether a stream broke, or did not come up, for a reason of this node's own. */
  public static boolean is(WireException broken) {
    var text = String.valueOf(broken.getMessage());
    var cause = broken.getCause() == null ? "" : String.valueOf(broken.getCause().getMessage());
    return OURS.stream().anyMatch(it -> text.contains(it) || cause.contains(it));
  }
}
