package dev.shunt.transport.rdma.verbs;

/**
 * An entry of a port's GID table.
 *
 * @param index its index
 * @param gid the address
 * @param type what it is for
 * @param network whether a network interface stands behind it
 * @param overlay whether that is one of a network upon another, such as containers have: what it
 *     reaches is less than its address says
 */
public record GidEntry(int index, Gid gid, Type type, boolean network, boolean overlay) {
  /** An entry of no overlay. */
  public GidEntry(int index, Gid gid, Type type, boolean network) {
    this(index, gid, type, network, false);
  }

  /** What an entry is for. */
  public enum Type {
    /** InfiniBand. */
    IB,
    /** RoCE without IP. */
    ROCE_V1,
    /** RoCE over UDP. */
    ROCE_V2,
    /** The library cannot tell. */
    UNKNOWN
  }
}
