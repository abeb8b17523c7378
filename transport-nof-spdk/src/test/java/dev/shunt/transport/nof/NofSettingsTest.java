package dev.shunt.transport.nof;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.shunt.api.contract.ContractKit;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NofSettingsTest {
  private static final long SECOND = 1_000_000_000L;

  private static Config config(Map<String, ?> values) {
    return ContractKit.config(new NofTransportProvider(), values);
  }

  private static NofSettings settings(Map<String, ?> values) {
    return NofSettings.of(config(values), "node-1");
  }

  private static void wrong(String key, Object value, String what) {
    var provider = new NofTransportProvider();
    var refusal =
        assertThrows(
            ConfigException.class, () -> provider.validate(config(Map.of(key, value))), key);
    assertTrue(refusal.getMessage().contains(key), refusal::getMessage);
    assertTrue(refusal.getMessage().contains(what), refusal::getMessage);
  }

  @Test
  void theDefaultsAreInOrder() {
    var settings = settings(Map.of());
    assertEquals(10 * SECOND, settings.keepAlive());
    assertEquals(10 * SECOND / 4, settings.pollInterval());
    assertEquals(128 << 10, settings.sliceSize());
    assertEquals(1 << 20, settings.maxSlice());
    assertFalse(settings.headerDigest());
  }

  @Test
  void keepAliveUnsetZeroAndNegativeAreThreeDifferentThings() {
    assertEquals(10 * SECOND, settings(Map.of()).keepAlive());
    assertEquals(0, settings(Map.of("keep-alive-timeout", "0s")).keepAlive());
    wrong("keep-alive-timeout", "-1s", "100 to");
    wrong("keep-alive-timeout", "1ms", "100 to");
  }

  @Test
  void aPollThatIsTooRareForKeepAliveIsRefused() {
    wrong("admin-poll-interval", "2501ms", "a quarter of keep-alive-timeout");
    assertEquals(2500_000_000L, settings(Map.of("admin-poll-interval", "2500ms")).pollInterval());
    assertEquals(
        SECOND / 2, settings(Map.of("keep-alive-timeout", "2s")).pollInterval(), "of its own");
    wrong("admin-poll-interval", "-1s", "admin-poll-interval");
  }

  @Test
  void whatIsOutOfRangeIsToldWithTheRange() {
    wrong("num-io-queues", 0, "1 to 1024");
    wrong("io-queue-size", 1, "2 to 4095");
    wrong("io-queue-size", 4096, "2 to 4095");
    wrong("admin-queue-size", 7, "8 to 4095");
    wrong("slice-size", "100", "multiple of 512");
    wrong("max-slice", "64KiB", "multiple of 512 from 131072");
    wrong("fabrics-connect-timeout", "2h", "1 to 3600000");
    wrong("command-timeout", "0s", "1 to");
    wrong("max-controllers", 0, "1 to 4096");
    wrong("host-nqn", "iqn.x", "is no NQN");
    wrong("host-nqn", "nqn." + "x".repeat(220), "is no NQN");
  }

  @Test
  void aNodeHasTheSameNameAndIdAfterARestart() {
    var one = settings(Map.of()).host();
    var again = settings(Map.of()).host();
    assertArrayEquals(one.nqn(), again.nqn());
    assertEquals(one.high(), again.high());
    assertEquals(one.low(), again.low());
    var other = NofSettings.of(config(Map.of()), "node-2").host();
    assertFalse(one.high() == other.high() && one.low() == other.low());
    var named = settings(Map.of("host-nqn", "nqn.2014-08.org.example:host")).host();
    assertEquals("nqn.2014-08.org.example:host", new String(named.nqn()));
  }
}
