package dev.shunt.runtime.sim;

import java.util.Map;

/** What may be on, off or otherwise on either side of two nodes. Level 0 is what all have. */
enum Feature {
  /** The failover policy is part of the image, or not. */
  FAILOVER(2),
  /** Writes that nobody fences are redone after a grace, or fail. */
  UNFENCED("failover.unfenced", "complete", "fail"),
  /** Whether nodes say that they are Shunt nodes. */
  EXTENSION("control.extension", true, false),
  /** Old attempts can be refused by word. */
  FENCE("capabilities.\"control.fence\"", "on", "off"),
  /** A small page of theirs that others read, to see whether a path works. */
  ECHO("capabilities.\"link.echo\"", "on", "off"),
  /** A code beside the text of a refusal. */
  ERROR_REPLY("capabilities.\"control.error_reply\"", "on", "off"),
  /** Peers that do not answer are remembered, or not. */
  PEER_HEALTH("peer-health.enable", true, false),
  /** Streams of ours, of this version, of the one before it, or none. */
  STREAM("capabilities.\"tcp.stream\"", "on", Map.of("use", "on", "highest", 1), "off"),
  /** A checksum for each payload. */
  CHECKSUM("capabilities.\"tcp.crc32c\"", "off", "on"),
  /** Notifications to plain peers by their control plane. */
  FALLBACK("notification.rpc-fallback", true, false);

  private final String key;
  private final Object[] values;
  private final int levels;

  Feature(String key, Object... values) {
    this.key = key;
    this.values = values;
    levels = values.length;
  }

  Feature(int levels) {
    this.key = "";
    this.values = new Object[0];
    this.levels = levels;
  }

  /** Whether nodes with this transport know of it. */
  boolean concerns(String transport) {
    return !key.contains("\"tcp.") || transport.equals("tcp");
  }

  int levels() {
    return levels;
  }

  /** Sets it in a configuration. */
  void set(int level, Map<String, Object> config) {
    if (level > 0 && !key.isEmpty()) {
      config.put(key, values[level]);
    }
  }
}
