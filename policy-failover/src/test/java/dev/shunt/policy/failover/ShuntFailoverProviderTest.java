package dev.shunt.policy.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.FailoverSettings;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.PeerHealth;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShuntFailoverProviderTest {
  private static final Config RAILS =
      ConfigFactory.parseString(
          "rail-error-threshold = 1, rail-error-window = 10s, rail-cooldown = 30s,"
              + " rail-max-cooldown = 300s");

  private final ShuntFailoverProvider provider = new ShuntFailoverProvider();

  @Test
  void itsDefaultsAreValidAndEachHasAComment() throws IOException {
    var defaults = defaults();
    provider.validate(defaults);
    defaults.root().forEach((key, value) -> assertFalse(value.origin().comments().isEmpty(), key));
  }

  @Test
  void itsDefaultsAreTheOnesThatAreDocumented() throws IOException {
    var defaults = defaults();
    assertEquals(Duration.ofSeconds(30), defaults.getDuration("recovery-delay"));
    assertEquals(Duration.ofSeconds(300), defaults.getDuration("max-recovery-delay"));
    assertEquals(9, defaults.getInt("max-attempts"));
    assertEquals(32, defaults.getInt("failures-in-a-row"));
    assertEquals("complete", defaults.getString("unfenced"));
    assertEquals(Duration.ofSeconds(1), defaults.getDuration("unfenced-grace"));
  }

  @Test
  void eachTransportHasThresholdsOfItsOwn() throws IOException {
    var policy =
        provider.create(
            settings(
                defaults(),
                Map.of(
                    "a",
                    RAILS,
                    "b",
                    ConfigFactory.parseString("rail-cooldown = 1s").withFallback(RAILS))));
    var fault = new Fault(Blame.REMOTE, FailureCode.CONNECTION, Effect.NONE, "text");
    var path = new PathId("peer", 0, 0, 0);
    assertEquals(30_000_000_000L, policy.paths("a").failed(path, 1, fault, 0));
    assertEquals(1_000_000_000L, policy.paths("b").failed(path, 1, fault, 0));
    assertThrows(IllegalArgumentException.class, () -> policy.paths("c"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max-attempts = 0",
        "max-attempts = 1001",
        "retry-delay = 0s",
        "retry-delay = 2s",
        "max-retry-delay = 1ms",
        "max-retry-delay = 400d",
        "unfenced-grace = 400d",
        "recovery-delay = 0s",
        "recovery-delay = 301s",
        "max-recovery-delay = 29s",
        "max-recovery-delay = 400d",
        "failures-in-a-row = 0",
        "failures-in-a-row = 1000001"
      })
  void aValueOutOfRangeIsRefusedWithItsPlaceAndTheRightOnes(String line) {
    var refused =
        assertThrows(
            ConfigException.class,
            () -> provider.validate(ConfigFactory.parseString(line).withFallback(defaults())));
    assertTrue(refused.getMessage().contains("right is"), refused::getMessage);
    assertTrue(refused.origin() != null);
  }

  @Test
  void theGraceOfWhatNobodyFencesIsAsConfigured() throws IOException {
    assertEquals(
        Duration.ofSeconds(1),
        provider.create(settings(defaults(), Map.of("a", RAILS))).unfencedGrace());
    var longer = ConfigFactory.parseString("unfenced-grace = 5s").withFallback(defaults());
    assertEquals(
        Duration.ofSeconds(5),
        provider.create(settings(longer, Map.of("a", RAILS))).unfencedGrace());
    var other = ConfigFactory.parseString("unfenced = hope").withFallback(defaults());
    var refused = assertThrows(ConfigException.class, () -> provider.validate(other));
    assertTrue(refused.getMessage().contains("neither complete nor fail"), refused::getMessage);
  }

  @Test
  void railsWaitAsLongAsConfiguredAndOneMachineKnowsNothingOfAnother() throws IOException {
    var shorter =
        ConfigFactory.parseString("recovery-delay = 1s, failures-in-a-row = 2")
            .withFallback(defaults());
    var policy = provider.create(settings(shorter, Map.of("a", RAILS)));
    var rails = policy.rails("a").orElseThrow();
    var fault = new Fault(Blame.LOCAL, FailureCode.DEVICE, Effect.NONE, "text");
    rails.failed(0, fault, 0);
    assertEquals(1, rails.failed(0, fault, 0).size());
    assertEquals(1_000_000_000L, rails.nextDeadline());
    assertEquals(Long.MAX_VALUE, policy.rails("a").orElseThrow().nextDeadline());
  }

  @Test
  void peersAreRememberedAsConfiguredOrNotAtAll() throws IOException {
    var set =
        ConfigFactory.parseString(
            "enable = true, cooldown = 1s, max-cooldown = 2s, probe-interval = 3s, max-age = 4s");
    var peers = peers(set).orElseThrow();
    peers.silent("peer", 0, "text", 0, 0);
    assertEquals(1_000_000_000L, peers.admit("peer", 0).orElseThrow().until());
    assertEquals(3_000_000_000L, peers.nextProbe());
    assertTrue(peers(ConfigFactory.parseString("enable = false").withFallback(set)).isEmpty());
    assertTrue(peers(ConfigFactory.empty()).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"cooldown = 3s", "max-cooldown = 5s", "probe-interval = 0s"})
  void whatIsSetOfPeersHasToFitTogether(String line) {
    var set =
        ConfigFactory.parseString(
            "enable = true, cooldown = 1s, max-cooldown = 2s, probe-interval = 3s, max-age = 4s");
    var refused =
        assertThrows(
            ConfigException.class, () -> peers(ConfigFactory.parseString(line).withFallback(set)));
    assertTrue(refused.getMessage().contains("right is"), refused::getMessage);
  }

  private Optional<PeerHealth> peers(Config config) throws IOException {
    return provider.create(new FailoverSettings(defaults(), config, Map.of())).peers();
  }

  private static FailoverSettings settings(Config failover, Map<String, Config> rails) {
    return new FailoverSettings(failover, ConfigFactory.empty(), rails);
  }

  private static Config defaults() throws IOException {
    try (var in = ShuntFailoverProvider.class.getResourceAsStream("/reference.conf")) {
      return ConfigFactory.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8))
          .getConfig("shunt.failover");
    }
  }
}
