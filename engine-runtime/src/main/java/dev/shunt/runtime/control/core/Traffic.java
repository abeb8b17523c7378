package dev.shunt.runtime.control.core;

/** Classes of calls. Each has connections of its own, so that none waits behind another. */
public enum Traffic {
  /** By which a peer is known and kept apart: must never wait. */
  VITAL,
  /** All that is neither. */
  ORDINARY,
  /** Carries payload. */
  BULK
}
