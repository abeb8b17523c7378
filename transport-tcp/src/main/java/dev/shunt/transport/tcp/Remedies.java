package dev.shunt.transport.tcp;

/** What helps where a limit of this machine stands in the way. */
final class Remedies {
  private Remedies() {}

  /**
   * What helps when no stream can be opened from here.
   *
   * @param said by the system
   * @return empty where the cause is another; begins with a semicolon
   */
  static String forConnecting(String said) {
    if (said.contains("Cannot assign requested address")
        || said.contains("Address already in use")) {
      return "; the address is not this machine's, or no port of it is free: widen"
          + " net.ipv4.ip_local_port_range, open fewer streams (transports.tcp.streams), or add a"
          + " rail";
    }
    return files(said);
  }

  /** What helps when nothing can be listened on. */
  static String forListening(String said, String rail) {
    if (said.contains("Address already in use")) {
      return "; another process listens there: set another port for rail "
          + rail
          + " in transports.tcp.rails, or 0 for a free one";
    }
    if (said.contains("Cannot assign requested address")) {
      return "; no interface of this machine has that address: correct rail "
          + rail
          + " in transports.tcp.rails";
    }
    if (said.contains("Permission denied")) {
      return "; ports below net.ipv4.ip_unprivileged_port_start need a privilege: set another port"
          + " for rail "
          + rail
          + " in transports.tcp.rails";
    }
    return files(said);
  }

  private static String files(String said) {
    if (said.contains("Too many open files")) {
      return "; raise the limit on open files (ulimit -n, LimitNOFILE), or open fewer streams"
          + " (transports.tcp.streams)";
    }
    return said.contains("No buffer space available") ? "; the system is short of memory" : "";
  }
}
