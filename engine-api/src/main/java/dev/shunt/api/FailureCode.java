package dev.shunt.api;

/** Why something failed, for machines. Constants may be added; their names stay. */
public enum FailureCode {
  /** The request is wrong in itself; {@link Failure#rejection()} tells how. */
  REJECTED,
  /** A window or queue is full, and the caller would not wait. */
  BUSY,
  /** Its deadline passed. */
  DEADLINE,
  /** A write ended so that nobody can tell whether it was, or will be, applied. */
  UNKNOWN_EFFECT,
  /** A notification ended so that nobody can tell whether it arrived. */
  UNKNOWN_DELIVERY,
  /** The remote does not answer. */
  UNREACHABLE,
  /** The remote, or one of its rails, ended the connection or refused one. */
  CONNECTION,
  /** A connection to a rail of the remote was begun, and not finished in time. */
  HANDSHAKE,
  /** The remote is another process than the one that was opened. Open the segment again. */
  STALE_GENERATION,
  /** The remote no longer has, or never had, memory at that range under that key. */
  REMOTE_RANGE,
  /** The remote does not allow that operation on that memory. */
  REMOTE_ACCESS,
  /** What lies behind the remote failed: the medium of a storage target, say. */
  REMOTE_DEVICE,
  /** There is no such segment. */
  UNKNOWN_SEGMENT,
  /** No rail is left that could carry it. */
  NO_RAIL,
  /** The remote lacks a capability that is required. */
  CAPABILITY,
  /** A device, or the memory below it, failed on this node. */
  DEVICE,
  /** The other side broke the protocol. */
  PROTOCOL,
  /** What was sent or received does not match its checksum. */
  CHECKSUM,
  /** A system limit stands in the way: locked memory, files, ports. */
  RESOURCE,
  /** The caller gave it up. */
  CANCELLED,
  /** The engine is closed; or the remote says that it closes. The message tells which. */
  CLOSED,
  /** The chosen transport, backend or policy cannot do this. */
  UNSUPPORTED,
  /** The configuration is wrong. */
  CONFIGURATION,
  /** A defect of this library or of a plug-in; the log has more. */
  INTERNAL
}
