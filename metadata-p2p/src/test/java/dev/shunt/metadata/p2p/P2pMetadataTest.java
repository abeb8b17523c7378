package dev.shunt.metadata.p2p;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Lookup;
import dev.shunt.api.spi.MetadataBackend;
import dev.shunt.api.spi.MetadataContext;
import dev.shunt.api.spi.Spi;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class P2pMetadataTest {
  private static final long NOW = Long.MAX_VALUE - 5;

  private final List<String> asked = new ArrayList<>();
  private final List<Lookup> answers = new ArrayList<>();
  private final MetadataBackend backend = new P2pMetadataProvider().create(new Nodes());

  @Test
  void theProviderSaysWhatItIs() {
    var provider = new P2pMetadataProvider();
    assertEquals("p2p", provider.id());
    assertEquals(Spi.VERSION, provider.spiVersion());
    assertEquals(List.of(), provider.capabilities());
  }

  @Test
  void aNodesNameIsItsAddressWhateverIsConfigured() {
    assertEquals("10.0.0.1:7", backend.nodeName("", "10.0.0.1:7"));
    assertEquals("10.0.0.1:7", backend.nodeName("alpha", "10.0.0.1:7"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.1:15000",
        "localhost:1",
        "node-7.example:65535",
        "node_7:80",
        "[::1]:7",
        "[fd00::1:2]:15000"
      })
  void aNodeIsAskedAtItsAddress(String name) {
    lookup(name);
    assertEquals(List.of(name), asked);
    assertEquals(List.of(new Lookup.Found("{}")), answers);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":7",
        "host",
        "host:",
        "host:0",
        "host:65536",
        "host:07",
        "host:-7",
        "host:seven",
        "ho st:7",
        "host:7\n",
        "-host:7",
        "999.1.1.1:7",
        "1.2.3:7",
        "::1:7",
        "[::1]",
        "[::1:7",
        "[10.0.0.1]:7",
        "[]:7",
        "[not:an:address]:7",
        "http://host:7",
        "nvme-tcp://10.0.0.1/nqn:1/1"
      })
  void aNameThatIsNoAddressIsUnknownAndNobodyIsAsked(String name) {
    lookup(name);
    assertEquals(List.of(), asked);
    var unknown = assertInstanceOf(Lookup.Unknown.class, answers.getFirst());
    assertEquals(1, answers.size());
    assertTrue(unknown.text().contains("right is host:port"), unknown::text);
    assertEquals(1, unknown.text().lines().count(), unknown::text);
  }

  @Test
  void anyTextIsAnsweredOnceAndInBoundedLength() {
    for (long seed = 1; seed <= 5000; seed++) {
      var random = new Random(seed);
      var name = new StringBuilder();
      for (int i = random.nextInt(random.nextInt(10) == 0 ? 5000 : 30); i > 0; i--) {
        name.append(random.nextBoolean() ? ":[].1a".charAt(random.nextInt(6)) : random.nextInt());
      }
      answers.clear();
      lookup(name.toString());
      assertEquals(1, answers.size(), "seed " + seed);
      if (answers.getFirst() instanceof Lookup.Unknown(var text)) {
        assertTrue(text.length() < 500, "seed " + seed);
      }
    }
  }

  @Test
  void aDeadlineThatHasPassedAsksNobody() {
    backend.lookup("host:7", NOW, answers::add);
    assertEquals(List.of(), asked);
    var failed = assertInstanceOf(Lookup.Failed.class, answers.getFirst());
    assertEquals(FailureCode.DEADLINE, failed.fault().code());
  }

  @Test
  void aClosedBackendAsksNobody() {
    backend.close();
    lookup("host:7");
    assertEquals(List.of(), asked);
    var failed = assertInstanceOf(Lookup.Failed.class, answers.getFirst());
    assertEquals(FailureCode.CLOSED, failed.fault().code());
  }

  private void lookup(String name) {
    backend.lookup(name, NOW + 100, answers::add);
  }

  private final class Nodes implements MetadataContext {
    @Override
    public Config config() {
      return ConfigFactory.empty();
    }

    @Override
    public long now() {
      return NOW;
    }

    @Override
    public void ask(String address, long deadline, Consumer<Lookup> answer) {
      assertEquals(NOW + 100, deadline);
      asked.add(address);
      answer.accept(new Lookup.Found("{}"));
    }
  }
}
