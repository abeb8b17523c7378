package dev.shunt.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.runtime.control.core.Functions;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An error of a call names each address once. */
class CallTextTest {
  private static final InetSocketAddress PLACE = new InetSocketAddress("127.0.0.1", 7);
  private static final String WHY = "cannot connect to " + PLACE + ": Connection refused";

  private static String told(String... addresses) {
    var call =
        new Call(Optional.empty(), List.of(addresses), Functions.PROBE, new byte[0], 0, null, null);
    return call.describe() + ": " + call.at(PLACE, WHY);
  }

  @Test
  void anAddressThatTheCallNamesIsNotToldAgain() {
    assertEquals("Probe to 127.0.0.1:7: cannot connect: Connection refused", told("127.0.0.1:7"));
  }

  @Test
  void oneOfSeveralIsToldOnceMoreSinceItSaysWhich() {
    assertEquals(
        "Probe to 127.0.0.1:7 or [::1]:7: 127.0.0.1:7: cannot connect: Connection refused",
        told("127.0.0.1:7", "[::1]:7"));
  }
}
