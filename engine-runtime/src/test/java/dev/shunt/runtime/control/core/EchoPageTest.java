package dev.shunt.runtime.control.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class EchoPageTest {
  /** The bytes of version 1, as the package's documentation specifies them. */
  private static final String RECORDED =
      "ffff9920eff5b46a0090efecff7f0000d0197f70234fcd4a4d0d7a7db74ce886"
          + "8035501f44f3a35446f64514247113c9de3f0f706d1aa2fb139c2a41dfb8a229";

  @Test
  void thePageHasItsRecordedBytes() {
    var page = EchoPage.content(7_689_040_871_221_231_615L, 140_737_168_510_976L);
    assertEquals(RECORDED, HexFormat.of().formatHex(page));
  }

  @Test
  void eachGenerationAndEachAddressHasAPageOfItsOwn() {
    var page = EchoPage.content(5, 4096);
    assertEquals(EchoPage.LENGTH, page.length);
    assertFalse(Arrays.equals(page, 16, 64, EchoPage.content(6, 4096), 16, 64));
    assertFalse(Arrays.equals(page, 16, 64, EchoPage.content(5, 8192), 16, 64));
  }
}
