package dev.shunt.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TcpSettingsTest {
  @Test
  void theDefaultsAreInOrder() {
    var settings = of("");
    assertEquals(1, settings.rails().size());
    assertEquals("127.0.0.1", settings.rails().getFirst().name());
    assertEquals(1 << 20, settings.sliceSize());
    assertEquals(64 << 20, settings.maxSlice());
    assertEquals(30_000_000_000L, settings.progressTimeout());
  }

  @Test
  void aRailMayBeAnObject() {
    var settings =
        of(
            "rails = [\"10.0.0.1\", {address = \"0.0.0.0\", name = outer, port = 4000,"
                + " advertise = \"10.0.0.2\"}, {address = \"::1\"}]");
    var outer = settings.rails().get(1);
    assertEquals("outer", outer.name());
    assertEquals(4000, outer.bind().getPort());
    assertTrue(outer.bind().getAddress().isAnyLocalAddress());
    assertEquals("10.0.0.2", outer.advertise());
    assertEquals("::1", settings.rails().get(2).name());
  }

  @Test
  void whatIsAdvertisedMayBeANameAndHasNoZone() {
    var settings =
        of(
            "rails = [{address = \"0.0.0.0\", name = any, advertise = node-7.example.org},"
                + " {address = \"::1\", advertise = \"fe80::7\"}]");
    assertEquals("node-7.example.org", settings.rails().get(0).advertise());
    assertEquals("fe80:0:0:0:0:0:0:7", settings.rails().get(1).advertise());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rails = []",
        "rails = [localhost]",
        "rails = [\"10.0.0.1\", \"10.0.0.1\"]",
        "rails = [\"0.0.0.0\"]",
        "rails = [{name = x}]",
        "rails = [{address = \"10.0.0.1\", prot = 1}]",
        "rails = [{address = \"10.0.0.1\", port = 65536}]",
        "rails = [{address = \"10.0.0.1\", name = \" \"}]",
        "rails = [7]",
        "slice-size = 0",
        "slice-size = 65MiB",
        "max-slice = 2GiB",
        "depth = 0",
        "depth = 4097",
        "lanes = 0",
        "copy-limit = 33KiB",
        "buffer-size = 512",
        "handshake-timeout = 0s",
        "inbound-progress-timeout = 2d",
        "max-inbound-streams = 0",
        "max-handshakes = 0",
        "streams = 0",
        "streams = 65",
        "merge-limit = 2GiB",
        "turn-bytes = 1KiB",
        "keep-alive-interval = 2d",
        "keep-alive-timeout = 0s",
        "max-peer-streams = 0",
        "max-peer-requests = 0",
        "max-peer-bytes = 63MiB",
        "rails = [{address = \"0.0.0.0\", advertise = \"a b\"}]",
        "rails = [{address = \"10.0.0.1\", advertise = \"::1\"}]",
        "rails = [{address = \"10.0.0.1\", advertise = \"0.0.0.0\"}]",
      })
  void whatIsWrongIsToldWithItsPlace(String text) {
    var wrong = assertThrows(ConfigException.class, () -> of(text));
    assertTrue(wrong.getMessage().contains("here.conf: 1"), wrong.getMessage());
  }

  private static TcpSettings of(String text) {
    var options = ConfigParseOptions.defaults().setOriginDescription("here.conf");
    var defaults =
        ConfigFactory.defaultReference(TcpSettingsTest.class.getClassLoader())
            .getConfig("shunt.transports.tcp");
    var config = ConfigFactory.parseString(text, options).withFallback(defaults);
    new TcpTransportProvider().validate(config);
    return TcpSettings.of(config);
  }
}
