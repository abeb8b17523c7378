package dev.shunt.runtime.sim;

/** What is broken on purpose, to see that it is noticed. */
enum Weakness {
  /** Nothing. */
  NONE,
  /** Fences are not sent, and count as sent. */
  FENCES_NOT_SENT,
  /** Writes that failed are told to have no effect, so nobody wants them fenced. */
  EFFECTS_DENIED,
  /** A write is told to be completed as soon as it is posted. */
  COMPLETED_EARLY,
  /** A completion is told a second time. */
  REPORTED_TWICE,
  /** A channel goes down with a slice that it never tells of. */
  SLICE_FORGOTTEN,
  /** A peer's request is let in whatever its key is. */
  KEYS_NOT_CHECKED,
  /** Paths that fail do not rest, though the policy says so. */
  PAUSES_NOT_KEPT
}
