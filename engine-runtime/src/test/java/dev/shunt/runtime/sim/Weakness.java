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
  PAUSES_NOT_KEPT,
  /** A rail that is out of use goes on carrying slices. */
  INACTIVE_RAILS_USED,
  /** A rail is used again as soon as its link is back. */
  RAILS_BACK_AT_ONCE,
  /** Peers that are known to be silent are called all the same. */
  SILENCE_FORGOTTEN,
  /** What our own rail is to blame for is told as the remote's fault. */
  OWN_FAULTS_CHARGED,
  /** What the remote is to blame for is told as our own rail's fault. */
  OTHERS_FAULTS_OURS
}
