package dev.shunt.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacesTest {
  @Test
  void addressesComeBack() {
    for (var text :
        List.of("10.0.0.1:1", "[::1]:65535", "[2001:db8::1]:7000", "host-1.example:80")) {
      var place = Places.parse(text).orElseThrow();
      var back = Places.text(place);
      assertEquals(place, Places.parse(back).orElseThrow(), text);
    }
    assertTrue(Places.parse("host-1.example:80").orElseThrow().isUnresolved());
    assertEquals("10.0.0.1:1", Places.text(new InetSocketAddress("10.0.0.1", 1)));
  }

  @Test
  void whatIsNoPlaceIsNone() {
    for (var text :
        List.of(
            "",
            ":",
            ":1",
            "a",
            "a:",
            "a:b",
            "a:0",
            "a:65536",
            "a:-1",
            "a:+1",
            "::1:80",
            "[::1]",
            "[::1:80",
            "[host]:1",
            "a b:1",
            "a/b:1",
            "[10.0.0.1]:1")) {
      assertTrue(Places.parse(text).isEmpty(), text);
    }
  }
}
