package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  private static final byte[] ACUTE = "\u00e9".getBytes(StandardCharsets.UTF_8);

  @Test
  void whatTheLocaleCannotReadIsRefusedWithTheRemedy() {
    var wrong =
        Arguments.damage(
            new String[] {"notify", "??"},
            List.of("notify".getBytes(StandardCharsets.UTF_8), ACUTE),
            StandardCharsets.US_ASCII);
    assertTrue(wrong.orElseThrow().startsWith("argument 2 "), wrong.get());
    assertTrue(wrong.get().contains("LC_ALL=C.UTF-8"), wrong.get());
    assertTrue(
        Arguments.damage(new String[] {"?"}, List.of(new byte[] {-1}), StandardCharsets.UTF_8)
            .isPresent());
  }

  @Test
  void whatTheLocaleCanReadIsTaken() {
    assertEquals(
        Optional.empty(),
        Arguments.damage(new String[] {"\u00e9"}, List.of(ACUTE), StandardCharsets.UTF_8));
    assertEquals(
        Optional.empty(),
        Arguments.damage(
            new String[] {"what?"},
            List.of("what?".getBytes(StandardCharsets.US_ASCII)),
            StandardCharsets.US_ASCII));
  }

  @Test
  void whereNobodyTellsTheBytesTheReplacementIsLookedFor() {
    assertTrue(
        Arguments.damage(new String[] {"a\ufffd"}, List.of(), StandardCharsets.UTF_8).isPresent());
  }

  @Test
  void argumentsAreTakenApartWithEmptyOnes() {
    assertEquals(3, Arguments.split("a\0\0b\0".getBytes(StandardCharsets.US_ASCII)).size());
  }
}
