package dev.shunt.api.spi;

import java.util.List;

/**
 * A versioned behaviour that changes the wire or needs the other side's consent.
 *
 * @param id in lower case with dots, such as {@code tcp.stream}
 * @param lowest the lowest version offered, from 1
 * @param highest the highest version offered
 * @param scope who settles it
 * @param requires ids of capabilities without which this one means nothing
 * @param unasked whether it is offered where configuration does not name it; one that costs
 *     something is better asked for ({@code shunt.capabilities})
 */
public record Capability(
    String id, int lowest, int highest, Scope scope, List<String> requires, boolean unasked) {
  /** Checks the range. */
  public Capability {
    if (lowest < 1 || highest < lowest) {
      throw new IllegalArgumentException(
          "capability "
              + id
              + " offers versions "
              + lowest
              + " to "
              + highest
              + ": the lowest is 1 at least, the highest no lower than it");
    }
    requires = List.copyOf(requires);
  }

  /** A capability that is offered unless configuration says otherwise. */
  public Capability(String id, int lowest, int highest, Scope scope, List<String> requires) {
    this(id, lowest, highest, scope, requires, true);
  }

  /** A capability of two nodes that stands for itself. */
  public static Capability of(String id, int lowest, int highest) {
    return new Capability(id, lowest, highest, Scope.PEER, List.of());
  }

  /**
   * Who settles a capability. The runtime settles those of PEER, and tells the outcome by {@link
   * Verdict}. The others it lists and offers, no more: what comes of them is not reported to it,
   * and used by the transport alone.
   */
  public enum Scope {
    /** Two nodes, when they meet. */
    PEER,
    /** Two ends of a link, in the transport's own handshake. */
    ENDPOINT,
    /** A storage target, by what it says of itself. */
    TARGET
  }
}
