package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathMtuTest {
  @ParameterizedTest
  @CsvSource({"256, 1", "512, 2", "1024, 3", "2048, 4", "4096, 5"})
  void bytesAndConstantsMatch(int bytes, int mtu) {
    assertEquals(mtu, PathMtu.ofBytes(bytes));
    assertEquals(bytes, PathMtu.bytes(mtu));
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "128", "1500", "4095", "8192", "-256"})
  void otherBytesHaveNone(long bytes) {
    assertEquals(0, PathMtu.ofBytes(bytes));
  }

  @Test
  void theLowestOfAllIsSettled() {
    assertEquals(3, PathMtu.settle(5, 3));
    assertEquals(3, PathMtu.settle(3, 5));
    assertEquals(4, PathMtu.settle(4, 0), "a peer that says nothing");
  }

  @Test
  void whatVerbsDoNotHaveIsNoMtu() {
    for (int mtu = PathMtu.MIN; mtu <= PathMtu.MAX; mtu++) {
      assertTrue(PathMtu.valid(mtu));
    }
    assertFalse(PathMtu.valid(0));
    assertFalse(PathMtu.valid(6));
    assertFalse(PathMtu.valid(-1));
  }
}
