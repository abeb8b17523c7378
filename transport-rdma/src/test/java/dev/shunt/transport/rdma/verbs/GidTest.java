package dev.shunt.transport.rdma.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GidTest {
  private static final String MAPPED = "00:00:00:00:00:00:00:00:00:00:ff:ff:c0:00:02:01";

  @Test
  void whatIsWrittenIsReadBack() {
    assertEquals(Optional.of(new Gid(0, 0xffff_c000_0201L)), Gid.parse(MAPPED));
    assertEquals(MAPPED, new Gid(0, 0xffff_c000_0201L).toString());
    var odd = new Gid(0xfe80_0000_0000_0000L, 0x80ff_7f01_0203_0405L);
    assertEquals(Optional.of(odd), Gid.parse(odd.toString()));
  }

  @Test
  void oneDigitForAnOctetIsEnough() {
    assertEquals(
        Optional.of(new Gid(0x0001_0203_0405_0607L, 0x0809_0a0b_0c0d_0e0fL)),
        Gid.parse("0:1:2:3:4:5:6:7:8:9:a:B:c:D:e:f"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "fe80::1",
        "00:00:00:00:00:00:00:00:00:00:ff:ff:c0:00:02",
        MAPPED + ":00",
        MAPPED + " ",
        "00:00:00:00:00:00:00:00:00:00:ff:ff:c0:00:02:0g",
        "00:00:00:00:00:00:00:00:00:00:ff:ff:c0:00:02:001",
        "00:00:00:00:00:00:00:00:00:00:ff:ff:c0:00:02:-1",
        "00:00:00:00:00:00:00:00:00:00:ff:ff:c0:00:02:\u0661"
      })
  void anythingElseIsRefused(String text) {
    assertEquals(Optional.empty(), Gid.parse(text));
  }
}
