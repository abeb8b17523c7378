package dev.shunt.api.spi;

/** Why a channel is ended. */
public enum RetireReason {
  /** The engine, or the segment, is closed. */
  CLOSED,
  /** A slice made no progress for longer than the stall limit. */
  STALLED,
  /** Its rail became inactive. */
  RAIL_INACTIVE,
  /** The remote is of another generation now. */
  STALE_GENERATION,
  /** It was idle, and others need its place. */
  EVICTED,
  /** It did something that the protocol excludes. */
  PROTOCOL
}
