package dev.shunt.transport.nof.testing;

/** Where in a connection's life something goes wrong. */
public enum Stage {
  /** It was accepted. */
  ACCEPT,
  /** An ICReq is there. */
  IC,
  /** A Connect is there. */
  CONNECT,
  /** A Property Get or Set is there. */
  PROPERTY,
  /** An Identify is there. */
  IDENTIFY,
  /** A Set or Get Features is there. */
  FEATURES,
  /** A Keep Alive is there. */
  KEEP_ALIVE,
  /** A read is there. */
  READ,
  /** A write is there, with its data if they came in the capsule. */
  WRITE,
  /** An R2T would be sent now. */
  R2T,
  /** Data that were asked for are there. */
  DATA,
  /** All data of a write are there. */
  APPLY,
  /** A completion would be sent now, for a read or write. */
  COMPLETE
}
