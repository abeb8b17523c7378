package dev.shunt.runtime.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.FailoverSettings;
import dev.shunt.api.spi.MetadataBackend;
import dev.shunt.api.spi.MetadataContext;
import dev.shunt.api.spi.MetadataProvider;
import dev.shunt.api.spi.Spi;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Providers given in code, beside our own on the class path. */
class DiscoveryGivenTest {
  @Test
  void oneGivenInCodeTakesThePlaceOfOneThatIsFound() {
    var own = new Own("p2p");
    var discovered = Discovery.find(Optional.empty(), Set.of(), given(own));
    assertSame(own, discovered.metadata("p2p").orElseThrow().provider());
    var found =
        discovered.plugins().stream()
            .filter(p -> p.id().equals("p2p") && p.state() == Plugin.State.DISABLED)
            .toList();
    assertEquals(1, found.size(), () -> "" + discovered.plugins());
    assertTrue(found.getFirst().cause().contains("given in code"));
    assertEquals(List.of(), discovered.failed());
  }

  @Test
  void aPolicyGivenInCodeTakesThePlaceOfTheOneThatIsFoundAndHasItsDefaults() {
    var own = new OwnPolicy("own");
    var discovered =
        Discovery.find(
            Optional.empty(), Set.of(), new Given(List.of(), List.of(), Optional.of(own)));
    var failover = discovered.failover().orElseThrow();
    assertSame(own, failover.provider());
    assertEquals(9, failover.defaults().getInt("shunt.failover.max-attempts"));
    assertTrue(
        discovered.plugins().stream()
            .anyMatch(p -> p.id().equals("failover") && p.state() == Plugin.State.DISABLED));
  }

  @Test
  void whatIsGivenAloneIsAllThereIs() {
    var discovered = Discovery.only(given(new Own("mine")));
    assertEquals(1, discovered.plugins().size());
    assertTrue(discovered.metadata("mine").isPresent());
  }

  @Test
  void aPolicyThatIsExcludedLeavesItsPlaceToTheNext() {
    var vetting = new Vetting(Discovery.LOAD_TIMEOUT, Set.of("first"));
    vetting.vet(List.of(found(new OwnPolicy("first")), found(new OwnPolicy("second"))));
    var discovered = vetting.discovered();
    assertEquals("second", discovered.failover().orElseThrow().id());
    assertEquals(Plugin.State.EXCLUDED, discovered.plugins().getFirst().state());
    assertEquals(List.of("second"), discovered.active().stream().map(Found::id).toList());
  }

  @Test
  void oneGivenInCodeIsHeldToTheSameRules() {
    var discovered = Discovery.only(given(new Own("Not An Id")));
    assertEquals(1, discovered.failed().size());
    assertTrue(discovered.metadata().isEmpty());
  }

  private static Candidate found(FailoverProvider provider) {
    var type = provider.getClass();
    return new Candidate.Loaded(Kind.FAILOVER, type, () -> provider, Origin.of(type), false);
  }

  private static Given given(MetadataProvider provider) {
    return new Given(List.of(), List.of(provider), Optional.empty());
  }

  private record Own(String id) implements MetadataProvider {
    @Override
    public int spiVersion() {
      return Spi.VERSION;
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public MetadataBackend create(MetadataContext context) {
      throw new UnsupportedOperationException();
    }
  }

  private record OwnPolicy(String id) implements FailoverProvider {
    @Override
    public int spiVersion() {
      return Spi.VERSION;
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public FailoverPolicy create(FailoverSettings settings) {
      throw new UnsupportedOperationException();
    }
  }
}
