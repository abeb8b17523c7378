package dev.shunt.runtime.transfer.core;

/** What a lane counts. */
public enum Counter {
  /** Slices that completed. */
  SLICES_COMPLETED,
  /** Their bytes. */
  BYTES_COMPLETED,
  /** Attempts that failed. */
  ATTEMPTS_FAILED,
  /** Slices posted again. */
  SLICES_REDONE,
  /** Slices that were to go on by another rail of ours. */
  HANDED_OFF,
  /** Slices that were to go on by another rail of the remote. */
  REDISPATCHED,
  /** Reports for slices whose request had ended. */
  LATE_REPORTS,
  /** Channels that came up. */
  CHANNELS_UP,
  /** Channels that went down. */
  CHANNELS_DOWN,
  /** Connections that could not be had. */
  CONNECTS_FAILED,
  /** Channels retired because a slice stalled. */
  CHANNELS_STALLED,
  /** Requests that went on by another transport. */
  REQUESTS_MOVED,
  /** Links that the remote was asked to refuse. */
  FENCES,
  /** Redone writes that completed after a grace, since nobody could be asked to refuse the old. */
  UNFENCED,
  /** Bytes of slices that drain now. */
  DRAINING_BYTES,
  /** Bytes of slices that are quarantined now. */
  QUARANTINED_BYTES,
  /** Those among them whose local memory was given back, and that may still change the remote. */
  QUARANTINED_REMOTE_BYTES
}
