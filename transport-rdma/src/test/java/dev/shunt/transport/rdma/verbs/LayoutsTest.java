package dev.shunt.transport.rdma.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares every number in {@link Layouts} with what a C compiler makes of the header. */
class LayoutsTest {
  /** Names of ours that cannot be derived from the header's. */
  private static final Map<String, String> ODD =
      Map.ofEntries(
          Map.entry("CONTEXT_POLL_CQ", "offsetof(struct ibv_context, ops.poll_cq)"),
          Map.entry("CONTEXT_POST_SEND", "offsetof(struct ibv_context, ops.post_send)"),
          Map.entry("CONTEXT_POST_RECV", "offsetof(struct ibv_context, ops.post_recv)"),
          Map.entry("GID_SIZE", "sizeof(union ibv_gid)"),
          Map.entry(
              "QP_INIT_ATTR_MAX_SEND_WR", "offsetof(struct ibv_qp_init_attr, cap.max_send_wr)"),
          Map.entry(
              "QP_INIT_ATTR_MAX_RECV_WR", "offsetof(struct ibv_qp_init_attr, cap.max_recv_wr)"),
          Map.entry(
              "QP_INIT_ATTR_MAX_SEND_SGE", "offsetof(struct ibv_qp_init_attr, cap.max_send_sge)"),
          Map.entry(
              "QP_INIT_ATTR_MAX_RECV_SGE", "offsetof(struct ibv_qp_init_attr, cap.max_recv_sge)"),
          Map.entry("QP_ATTR_DGID", "offsetof(struct ibv_qp_attr, ah_attr.grh.dgid)"),
          Map.entry("QP_ATTR_FLOW_LABEL", "offsetof(struct ibv_qp_attr, ah_attr.grh.flow_label)"),
          Map.entry("QP_ATTR_SGID_INDEX", "offsetof(struct ibv_qp_attr, ah_attr.grh.sgid_index)"),
          Map.entry("QP_ATTR_HOP_LIMIT", "offsetof(struct ibv_qp_attr, ah_attr.grh.hop_limit)"),
          Map.entry(
              "QP_ATTR_TRAFFIC_CLASS", "offsetof(struct ibv_qp_attr, ah_attr.grh.traffic_class)"),
          Map.entry("QP_ATTR_DLID", "offsetof(struct ibv_qp_attr, ah_attr.dlid)"),
          Map.entry("QP_ATTR_SL", "offsetof(struct ibv_qp_attr, ah_attr.sl)"),
          Map.entry("QP_ATTR_IS_GLOBAL", "offsetof(struct ibv_qp_attr, ah_attr.is_global)"),
          Map.entry("QP_ATTR_AH_PORT_NUM", "offsetof(struct ibv_qp_attr, ah_attr.port_num)"),
          Map.entry("SEND_WR_REMOTE_ADDR", "offsetof(struct ibv_send_wr, wr.rdma.remote_addr)"),
          Map.entry("SEND_WR_RKEY", "offsetof(struct ibv_send_wr, wr.rdma.rkey)"),
          Map.entry("MASK_STATE", "IBV_QP_STATE"),
          Map.entry("LINK_LAYER_ETHERNET", "IBV_LINK_LAYER_ETHERNET"),
          Map.entry("SEND_SIGNALED", "IBV_SEND_SIGNALED"));

  private static final String[] STRUCTURES = {
    "QP_INIT_ATTR", "QP_ATTR", "DEVICE_ATTR", "PORT_ATTR", "GID_ENTRY", "SEND_WR", "RECV_WR",
    "ASYNC_EVENT", "CONTEXT", "SGE", "MR", "CQ", "QP", "WC"
  };

  @Test
  void everyNumberIsTheHeaders(@TempDir Path directory) throws Exception {
    assumeTrue(
        Files.exists(Path.of("/usr/include/infiniband/verbs.h")),
        "needs libibverbs-dev for the header");
    assumeTrue(Files.exists(Path.of("/usr/bin/gcc")), "needs gcc");
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "laid out for amd64");
    assertEquals(ours(), theirs(directory));
  }

  private static Map<String, Long> ours() throws IllegalAccessException {
    var numbers = new TreeMap<String, Long>();
    for (var field : Layouts.class.getDeclaredFields()) {
      numbers.put(field.getName(), ((Number) field.get(null)).longValue());
    }
    assertTrue(numbers.size() > 70, "all of them");
    return numbers;
  }

  private static Map<String, Long> theirs(Path directory) throws Exception {
    var program = new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n");
    program.append("#include <infiniband/verbs.h>\nint main(void) {\n");
    for (var name : new TreeSet<>(ours().keySet())) {
      program.append("  printf(\"%s %lld\\n\", \"").append(name).append("\", (long long) (");
      program.append(ODD.getOrDefault(name, expression(name))).append("));\n");
    }
    program.append("  return 0;\n}\n");
    var source = Files.writeString(directory.resolve("layouts.c"), program);
    var binary = directory.resolve("layouts");
    run("/usr/bin/gcc", "-o", binary.toString(), source.toString());
    var numbers = new LinkedHashMap<String, Long>();
    for (var line : run(binary.toString()).lines().toList()) {
      var words = line.split(" ");
      numbers.put(words[0], Long.valueOf(words[1]));
    }
    return new TreeMap<>(numbers);
  }

  private static String expression(String name) {
    for (var structure : STRUCTURES) {
      if (name.equals(structure + "_SIZE")) {
        return "sizeof(struct ibv_" + structure.toLowerCase() + ")";
      }
      if (name.startsWith(structure + "_")) {
        var field = name.substring(structure.length() + 1).toLowerCase();
        return "offsetof(struct ibv_" + structure.toLowerCase() + ", " + field + ")";
      }
    }
    return "IBV_" + (name.startsWith("MASK_") ? "QP_" + name.substring(5) : name);
  }

  private static String run(String... command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes());
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "ends: " + String.join(" ", command));
    assertEquals(0, process.exitValue(), output);
    return output;
  }
}
