package dev.shunt.runtime.sim;

/** What is broken on purpose, to see that it is noticed. */
enum Weakness {
  /** Nothing. */
  NONE,
  /** Fences are not sent, and count as sent. */
  FENCES_NOT_SENT,
  /** Writes that failed are told to have no effect, so nobody wants them fenced. */
  EFFECTS_DENIED
}
