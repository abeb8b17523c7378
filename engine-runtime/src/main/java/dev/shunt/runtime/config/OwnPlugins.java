package dev.shunt.runtime.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names of our own plug-ins, and of what they offer. One file serves a cluster's different
 * images, so a section or a capability of one that this image does not hold is no mistake. Nothing
 * else in the runtime knows a plug-in by name.
 */
final class OwnPlugins {
  private static final Map<String, List<String>> IDS =
      Map.of(
          "shunt.transports", List.of("nof", "rdma", "tcp", "tent"),
          "shunt.metadata", List.of("etcd", "p2p"),
          "shunt", List.of("failover"));

  /** Behaviours that some module of ours may offer. */
  static final List<String> CAPABILITIES =
      List.of(
          "control.error_reply",
          "control.fence",
          "link.echo",
          "nof.kato",
          "notify.dedup",
          "notify.resend",
          "notify.rpc_fallback",
          "notify.typed",
          "rdma.ready_ack",
          "rdma.tries",
          "rdma.write_imm",
          "tcp.crc32c",
          "tcp.stream");

  private OwnPlugins() {}

  /** Whether a key in a section is one of our own plug-ins' sections. */
  static boolean isSection(String section, String key) {
    return ids(section).contains(key);
  }

  /** The ids of our own plug-ins whose sections stand in one. */
  static List<String> ids(String section) {
    return IDS.getOrDefault(section, List.of());
  }

  /** The ids of all of our own plug-ins. */
  static Set<String> ids() {
    var ids = new TreeSet<String>();
    IDS.values().forEach(ids::addAll);
    return ids;
  }

  /** Whether the runtime itself offers it. */
  static boolean isOfTheRuntime(String capability) {
    return capability.startsWith("control.") || capability.startsWith("link.");
  }

  /** Whether the sections of plug-ins stand here. */
  static boolean holdPlugins(String section) {
    return section.equals("shunt.transports") || section.equals("shunt.metadata");
  }
}
