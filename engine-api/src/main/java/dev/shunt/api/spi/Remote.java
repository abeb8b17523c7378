package dev.shunt.api.spi;

/** The other side: a node, or a storage target. */
public sealed interface Remote {
  /** The segment's name. */
  String name();

  /**
   * A node with a control plane, as of one generation: a restarted process is another {@code Node}.
   *
   * @param generation its generation, or 0 for a node that does not tell one
   * @param verdict what both sides agreed on
   */
  record Node(String name, long generation, Verdict verdict) implements Remote {}

  /** A target that speaks its fabric's own protocol and has no control plane of ours. */
  record Target(String name) implements Remote {}
}
