package dev.shunt.api.spi;

import dev.shunt.api.FailureCode;

/**
 * What went wrong, as the transport sees it.
 *
 * @param blame which side it lies on
 * @param code for machines
 * @param effect whether a write may have been, or may still be, applied
 * @param text what, where, and what would be right
 * @param vendorCode what the fabric's own error number was, or 0
 */
public record Fault(Blame blame, FailureCode code, Effect effect, String text, long vendorCode) {
  /** Without a number of the fabric's. */
  public Fault(Blame blame, FailureCode code, Effect effect, String text) {
    this(blame, code, effect, text, 0);
  }

  /** The plug-in cannot do it at all. */
  public static Fault unsupported(String text) {
    return new Fault(Blame.REQUEST, FailureCode.UNSUPPORTED, Effect.NONE, text);
  }

  /** Which side is charged. */
  public enum Blame {
    /** Ours: this rail, device or socket. Another local rail may do. */
    LOCAL,
    /** The remote, its rail, or the way to it. */
    REMOTE,
    /**
     * Nobody: flushed along with something else, or by a link that was retired; or the remote as a
     * whole is silent, which says nothing of the path.
     */
    NEUTRAL,
    /** The request itself: it would fail on any path. */
    REQUEST
  }

  /** What may have become of a write. Reads have no effect. */
  public enum Effect {
    /** It was not applied, and will not be. */
    NONE,
    /** It may have been applied, wholly or in part, or still be. */
    POSSIBLE
  }
}
