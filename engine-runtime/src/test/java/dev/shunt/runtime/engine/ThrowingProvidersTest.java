package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Status;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.FailoverSettings;
import dev.shunt.api.spi.MetadataBackend;
import dev.shunt.api.spi.MetadataContext;
import dev.shunt.api.spi.MetadataProvider;
import dev.shunt.api.spi.Spi;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportProvider;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** What throws when it is made or started costs nobody else anything; all are preferred to TCP. */
class ThrowingProvidersTest {
  private static final List<Throwable> ALL =
      List.of(
          new IllegalStateException("no luck today"),
          new AssertionError("no luck today"),
          new StackOverflowError("no luck today"),
          new OutOfMemoryError("no luck today"),
          new InternalError("no luck today"),
          new NoClassDefFoundError("no luck today"),
          new Exception("no luck today"));

  @Test
  void aTransportThatThrowsWhenItIsMadeIsListedAndTheOthersRun() {
    for (var thrown : ALL) {
      refused(new Given(() -> sneak(thrown)), "could not be started", thrown.getClass().getName());
    }
    refused(new Given(() -> null), "could not be started", "create() answered null");
  }

  @Test
  void aTransportThatThrowsWhenItIsStartedIsListedAndTheOthersRun() {
    for (var thrown : ALL) {
      refused(
          new Given(() -> worker("start", () -> sneak(thrown))),
          "could not be started",
          thrown.getClass().getName());
    }
    refused(new Given(() -> worker("start", () -> null)), "start() answered null");
  }

  @Test
  void aTransportThatThrowsWhenALaneIsOpenedIsListedAndTheOthersRun() {
    for (var thrown : ALL) {
      refused(
          new Given(() -> worker("openLane", () -> sneak(thrown))), thrown.getClass().getName());
    }
    refused(new Given(() -> worker("openLane", () -> null)), "openLane() answered null");
  }

  @Test
  void aPolicyThatThrowsIsListedAndTheEngineRunsWithoutOne() {
    for (var thrown : ALL) {
      try (var engine = new RuntimeFactory().builder().failover(new Policy(thrown)).open()) {
        var policy = plugin(engine, "failover");
        assertEquals("FAILED", policy.state());
        assertTrue(policy.cause().contains("no luck today"), policy::cause);
        assertEquals("ACTIVE", plugin(engine, "tcp").state());
      }
    }
  }

  @Test
  void aBackendThatThrowsIsRefusedWithItsCause() {
    for (var thrown : ALL) {
      var builder =
          new RuntimeFactory().builder().set("metadata.type", "bad").metadata(new Backend(thrown));
      var refused = assertThrows(ShuntException.class, builder::open);
      assertEquals(FailureCode.CONFIGURATION, refused.code());
      assertTrue(refused.getMessage().contains("shunt.metadata.type is bad"), refused::getMessage);
      assertTrue(refused.getMessage().contains("no luck today"), refused::getMessage);
    }
  }

  private static void refused(TransportProvider provider, String... causes) {
    try (var engine =
        new RuntimeFactory()
            .builder()
            .set("transfer.prefer", List.of("bad", "tcp"))
            .transport(provider)
            .open()) {
      var bad = plugin(engine, "bad");
      assertEquals("FAILED", bad.state(), bad::toString);
      for (var cause : causes) {
        assertTrue(bad.cause().contains(cause), bad::cause);
      }
      assertEquals("ACTIVE", plugin(engine, "tcp").state());
    }
  }

  private static Status.Plugin plugin(Engine engine, String id) {
    return engine.status().plugins().stream()
        .filter(p -> p.id().equals(id) && !p.state().equals("DISABLED"))
        .findFirst()
        .orElseThrow(() -> new AssertionError(id + " is not among " + engine.status().plugins()));
  }

  @SuppressWarnings("unchecked")
  private static <T, E extends Throwable> T sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** A transport that answers with something harmless but for one method. */
  private static Transport worker(String bad, Callable<?> answer) {
    return (Transport)
        Proxy.newProxyInstance(
            Transport.class.getClassLoader(),
            new Class<?>[] {Transport.class},
            (_, method, _) ->
                method.getName().equals(bad)
                    ? answer.call()
                    : Map.of("start", List.of()).get(method.getName()));
  }

  private record Given(Callable<Transport> answer) implements TransportProvider {
    @Override
    public String id() {
      return "bad";
    }

    @Override
    public int spiVersion() {
      return Spi.VERSION;
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public Transport create(TransportContext context) {
      try {
        return answer.call();
      } catch (Exception thrown) {
        return sneak(thrown);
      }
    }
  }

  private record Policy(Throwable thrown) implements FailoverProvider {
    @Override
    public String id() {
      return "failover";
    }

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
      return sneak(thrown);
    }
  }

  private record Backend(Throwable thrown) implements MetadataProvider {
    @Override
    public String id() {
      return "bad";
    }

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
      return sneak(thrown);
    }
  }
}
