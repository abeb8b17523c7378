package dev.shunt.api;

/** Which way bytes go. */
public enum Operation {
  /** From local memory to the remote. */
  WRITE,
  /** From the remote to local memory. */
  READ
}
