package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Delivery;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Notification;
import dev.shunt.api.ShuntException;
import dev.shunt.api.spi.Lookup;
import dev.shunt.api.spi.MetadataBackend;
import dev.shunt.api.spi.MetadataContext;
import dev.shunt.api.spi.MetadataProvider;
import dev.shunt.api.spi.Spi;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A call that fails has no descriptor fetched again, but where another address may be known. */
class CentralRegistryTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  /** Descriptors in a map that its nodes share. */
  private static final class Registry implements MetadataProvider {
    final Map<String, String> published = new ConcurrentHashMap<>();
    final AtomicInteger lookups = new AtomicInteger();
    final boolean central;
    Consumer<String> beforeAnswer = name -> {};
    volatile boolean mute;

    Registry(boolean central) {
      this.central = central;
    }

    @Override
    public String id() {
      return "registry";
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
      return new MetadataBackend() {
        @Override
        public String nodeName(String configured, String controlAddress) {
          return configured;
        }

        @Override
        public void publish(String name, String descriptor) {
          published.put(name, descriptor);
        }

        @Override
        public void withdraw(String name) {}

        @Override
        public void lookup(String name, long deadline, Consumer<Lookup> answer) {
          lookups.incrementAndGet();
          beforeAnswer.accept(name);
          if (mute) {
            return;
          }
          answer.accept(new Lookup.Found(published.get(name)));
        }

        @Override
        public boolean central() {
          return central;
        }

        @Override
        public void close() {}
      };
    }
  }

  private static Engine engine(Registry registry, String name) {
    return new RuntimeFactory()
        .builder()
        .set("name", name)
        .set("transports.rdma.enable", false)
        .set("metadata.type", "registry")
        .metadata(registry)
        .open();
  }

  private static String nobody() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + socket.getLocalPort();
    }
  }

  private static FailureCode refused(Engine engine) {
    return assertThrows(ShuntException.class, () -> engine.openSegment("b", SOON)).code();
  }

  @Test
  void aCentralRegistryIsAskedOnceMoreAndNoOtherIs() {
    for (boolean central : new boolean[] {false, true}) {
      var registry = new Registry(central);
      try (var a = engine(registry, "a")) {
        engine(registry, "b").close();
        assertEquals(FailureCode.UNREACHABLE, refused(a));
        assertEquals(central ? 2 : 1, registry.lookups.get());
        assertEquals(FailureCode.UNREACHABLE, refused(a));
        assertEquals(central ? 4 : 2, registry.lookups.get());
      }
    }
  }

  @Test
  void anotherAddressIsCalledAndTheSameIsNot() throws Exception {
    for (boolean central : new boolean[] {false, true}) {
      var registry = new Registry(central);
      try (var a = engine(registry, "a");
          var b = engine(registry, "b")) {
        var right = registry.published.get("b");
        var address = b.status().control().getFirst();
        assertTrue(right.contains(address), right);
        var wrong = right.replace(address, nobody());
        registry.beforeAnswer =
            name -> registry.published.put("b", registry.lookups.get() == 1 ? wrong : right);
        if (central) {
          assertEquals("b", a.openSegment("b", SOON).name());
        } else {
          assertEquals(FailureCode.UNREACHABLE, refused(a));
        }
        assertEquals(central ? 2 : 1, registry.lookups.get());
      }
    }
  }

  @Test
  void aCallThatFailsLaterHasNothingLookedUp() throws InterruptedException {
    var registry = new Registry(false);
    try (var a = engine(registry, "a")) {
      var b = engine(registry, "b");
      var segment = a.openSegment("b", SOON);
      b.close();
      // Until it was gone it may have told of a change.
      int before = registry.lookups.get();
      for (int i = 0; i < 3; i++) {
        var sent = a.send(segment, new Notification("are you", "there"), SOON).await(SOON);
        // What went out before the end of its connection was noticed may have arrived.
        assertFalse(sent instanceof Delivery.Delivered, sent::toString);
      }
      assertEquals(before, registry.lookups.get());
    }
  }

  @Test
  void whoOpensASegmentWaitsNoLongerThanItAskedFor() throws Exception {
    var registry = new Registry(false);
    registry.mute = true;
    try (var a = engine(registry, "a")) {
      var began = System.nanoTime();
      var late =
          assertThrows(ShuntException.class, () -> a.openSegment("b", Duration.ofMillis(500)));
      var took = Duration.ofNanos(System.nanoTime() - began);
      assertEquals(FailureCode.DEADLINE, late.code());
      assertTrue(late.getMessage().contains("b: not opened within 500 ms"), late.getMessage());
      assertTrue(took.toMillis() < 1400, took.toString());
    }
  }
}
