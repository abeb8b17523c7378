package dev.shunt.transport.nof.testing;

/** What goes wrong. */
public enum Action {
  /** The connection is not looked at any more. */
  STALL,
  /** It is reset. */
  DROP,
  /** It is closed after what was sent. */
  CLOSE,
  /** It is ended by a C2HTermReq, with the rule's value as the reason. */
  TERM,
  /** The command is forgotten. */
  FORGET,
  /** The command ends with the rule's value as its status. */
  STATUS,
  /** A PDU of an unknown type is sent. */
  UNKNOWN_PDU,
  /** The next PDU's header digest is wrong. */
  BAD_HEADER_DIGEST,
  /** The next PDU's data digest is wrong. */
  BAD_DATA_DIGEST,
  /** A completion for a command that is not under way is sent. */
  STRAY_COMPLETION,
  /** The R2T asks for bytes outside the command. */
  BAD_R2T,
  /** The data of a read begin elsewhere than they should. */
  BAD_DATA_OFFSET,
  /** Only half of a read's data are sent, then a good completion. */
  SHORT_DATA,
  /** A PDU is sent whose length is not that of its type. */
  BAD_LENGTH,
  /** The owner's hook is told, and all goes on. */
  TELL
}
