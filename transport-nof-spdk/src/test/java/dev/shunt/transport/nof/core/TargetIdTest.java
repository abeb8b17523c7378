package dev.shunt.transport.nof.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TargetIdTest {
  private static final String NAME =
      "traddr:10.0.0.2 trsvcid:4420 subnqn:nqn.2016-06.io.spdk:cnode1 trtype:TCP adrfam:IPv4 ns:3";

  @Test
  void aNameSaysWhereTheNamespaceIs() {
    var id = TargetId.parse(NAME);
    assertEquals(new TargetId("10.0.0.2", 4420, "nqn.2016-06.io.spdk:cnode1", 3), id);
    assertEquals(NAME, id.name());
    assertEquals("10.0.0.2:4420", id.portal());
  }

  @Test
  void theOrderIsFreeAndTheNamespaceIsOneWhereItIsMissing() {
    var id =
        TargetId.parse("  adrfam:ipv4 subnqn:nqn.x:y:z  trtype:tcp traddr:127.0.0.1 trsvcid:1 ");
    assertEquals(new TargetId("127.0.0.1", 1, "nqn.x:y:z", 1), id);
  }

  @Test
  void onlyNamesOfTargetsAreClaimed() {
    assertTrue(TargetId.claims(NAME));
    assertTrue(TargetId.claims("traddr:nonsense"));
    assertTrue(TargetId.claims("trtype:RDMA subnqn:nqn.x"));
    assertFalse(TargetId.claims("node-17"));
    assertFalse(TargetId.claims("10.0.0.2:12345"));
    assertFalse(TargetId.claims(""));
  }

  @Test
  void whatIsWrongIsToldWithWhatWouldBeRight() {
    wrong("traddr:10.0.0.2", "trsvcid is missing");
    wrong(NAME + " ns:4", "ns is there twice");
    wrong(NAME + " colour:red", "\"colour:red\" is none of its parts");
    wrong(NAME + " nonsense", "\"nonsense\" is none of its parts");
    wrong(NAME.replace("10.0.0.2", "10.0.0.256"), "traddr \"256\"");
    wrong(NAME.replace("10.0.0.2", "10.0.2"), "traddr \"10.0.2\"");
    wrong(NAME.replace("10.0.0.2", "localhost"), "no IPv4 address");
    wrong(NAME.replace("10.0.0.2", "10.0.0.-1"), "traddr \"-1\"");
    wrong(NAME.replace("4420", "0"), "trsvcid \"0\" is not a number from 1 to 65535");
    wrong(NAME.replace("4420", "99999999999999"), "trsvcid");
    wrong(NAME.replace("ns:3", "ns:0"), "ns \"0\"");
    wrong(NAME.replace("ns:3", "ns:4294967295"), "ns \"4294967295\"");
    wrong(NAME.replace("nqn.", "iqn."), "subnqn");
    wrong(NAME.replace("cnode1", "n".repeat(250)), "subnqn");
    wrong(NAME.replace("TCP", "RDMA"), "trtype RDMA");
    wrong(NAME.replace("IPv4", "IPv6"), "adrfam IPv6");
    wrong(NAME + " ".repeat(2000), "too long");
  }

  private static void wrong(String name, String what) {
    var refusal = assertThrows(IllegalArgumentException.class, () -> TargetId.parse(name));
    assertTrue(refusal.getMessage().contains(what), refusal::getMessage);
    assertTrue(refusal.getMessage().contains("traddr:IP trsvcid:PORT"), refusal::getMessage);
  }
}
