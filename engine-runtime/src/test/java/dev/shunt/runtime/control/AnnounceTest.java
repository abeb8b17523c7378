package dev.shunt.runtime.control;

import static dev.shunt.runtime.control.TwoNodes.B;
import static dev.shunt.runtime.control.TwoNodes.SECOND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.golden.Recording;
import dev.shunt.runtime.control.golden.Recording.Sign;
import dev.shunt.runtime.control.golden.TentFrame;
import dev.shunt.runtime.control.golden.TentFrame.Form;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Journal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who subscribed hears of changes. */
class AnnounceTest {
  private static final int PORT = 7201;
  private static final String SUBSCRIBER = "10.0.0.1:7201";

  private final List<String> heard = new ArrayList<>();
  private TwoNodes nodes;
  private PlainFunctions plain;

  private void begin(long seed) {
    nodes = new TwoNodes(seed);
    plain =
        PlainFunctions.install(
            nodes.b, "127.0.0.1:15100", () -> new byte[0], (name, message) -> true, heard::add);
    PlainFunctions.install(nodes.a, "a", () -> new byte[0], (name, message) -> true, heard::add);
  }

  private void subscribe(String address) {
    var ending = nodes.call(B, Functions.SUBSCRIBE, PlainFunctions.named(address), SECOND);
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(0, ending.reply.length);
  }

  /** What a TENT target sent to its subscriber, in the form of a release build. */
  private static byte[] recorded() {
    return Recording.load("segment-updated").sections().getFirst().steps().stream()
        .filter(step -> step.sign() == Sign.TO_SERVER && step.connection() == 3)
        .findFirst()
        .map(step -> TentFrame.split(step.bytes(), 20).getFirst().in(Form.RELEASE).bytes())
        .orElseThrow();
  }

  @Test
  void aSubscriberHearsOfAChangeInTheBytesOfTent() {
    for (var answer :
        List.of(
            "15000000 00000000 04000000 00000000 eacf0189",
            "15000000 00000000 07000000 00000000 ebcf018904fa00")) {
      begin(1);
      var subscriber = new RawPeer(nodes.hostA, "subscriber");
      subscriber.listen("10.0.0.1", PORT);
      subscribe(SUBSCRIBER);
      nodes.world.run(SECOND);
      assertEquals(0, subscriber.wires.size(), "nothing changed");
      plain.changed();
      var expected = recorded();
      nodes.world.runUntil(() -> subscriber.received.size() >= expected.length, SECOND);
      assertEquals(hex(expected), hex(subscriber.taken()));
      subscriber.send(Transcript.bytes(answer, Map.of()));
      nodes.world.run(10 * SECOND);
      assertEquals(0, subscriber.received.size(), "once");
      assertEquals(List.of(SUBSCRIBER), plain.subscribers());
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void aNodeOfOursHearsOfIt() {
    begin(2);
    subscribe("10.0.0.1:7000");
    plain.changed();
    assertTrue(nodes.world.runUntil(() -> !heard.isEmpty(), SECOND));
    assertEquals(List.of("127.0.0.1:15100"), heard);
  }

  @Test
  void aThousandChangesAreToldAsAFewAndTheLastIsAmongThem() {
    begin(3);
    subscribe("10.0.0.1:7000");
    subscribe("10.0.0.1:7000");
    for (int i = 0; i < 1000; i++) {
      plain.changed();
      nodes.world.run(SECOND / 1000);
    }
    nodes.world.run(SECOND);
    assertTrue(heard.size() >= 2 && heard.size() <= 5, heard.size() + " calls");
    int before = heard.size();
    plain.changed();
    nodes.world.run(SECOND);
    assertEquals(before + 1, heard.size());
  }

  @Test
  void theDeadCostNobodyAnythingAndAreForgotten() {
    begin(4);
    for (int i = 0; i < 200; i++) {
      subscribe("10.9.9.9:" + (1000 + i));
    }
    subscribe("10.0.0.1:7000");
    plain.changed();
    nodes.world.runUntil(() -> !heard.isEmpty(), 30 * SECOND);
    assertEquals(1, heard.size());
    nodes.world.run(200 * SECOND);
    assertEquals(List.of("10.0.0.1:7000"), plain.subscribers());
    assertEquals(0, nodes.b.outstanding());
    assertEquals(1, heard.size());
  }

  @Test
  void whoEndedAsItShouldIsForgottenWithoutAWord() {
    begin(7);
    var journal = new Journal(() -> 0);
    var health = new FakeHealth(SECOND);
    nodes.b.watch(health, journal, Duration.ofSeconds(2), Duration.ZERO);
    subscribe("10.0.0.1:7000");
    plain.changed();
    assertTrue(nodes.world.runUntil(() -> !heard.isEmpty(), SECOND));
    nodes.platformA.process.die(Death.KILLED);
    nodes.world.run(SECOND);
    plain.changed();
    nodes.world.run(60 * SECOND);
    assertEquals(List.of(), plain.subscribers());
    assertTrue(health.told.stream().anyMatch(it -> it.startsWith("silent")), "it was called");
    assertEquals(0, journal.count(Change.PEER_UNREACHABLE));
  }

  @Test
  void aSubscriberThatHangsDelaysNoOther() {
    begin(5);
    var hanging = new RawPeer(nodes.hostA, "hanging");
    hanging.listen("10.0.0.1", PORT);
    subscribe(SUBSCRIBER);
    subscribe("10.0.0.1:7000");
    plain.changed();
    assertTrue(nodes.world.runUntil(() -> !heard.isEmpty(), SECOND));
    var probe = nodes.call(B, Functions.PROBE, new byte[0], SECOND / 10);
    assertTrue(nodes.until(probe, SECOND / 10));
    nodes.world.run(60 * SECOND);
    assertEquals(List.of("10.0.0.1:7000"), plain.subscribers());
  }

  @Test
  void whatIsNoAddressIsAcceptedAndForgotten() {
    begin(6);
    for (var name : List.of("", "node-a", "a b:1", "10.0.0.1:99999", "[::1", "x".repeat(500))) {
      subscribe(name);
    }
    assertEquals(List.of(), plain.subscribers());
    var bad = nodes.call(B, Functions.SUBSCRIBE, "{}".getBytes(UTF_8), SECOND);
    assertTrue(nodes.until(bad, SECOND));
    assertEquals(10, bad.fault.vendorCode());
    assertArrayEquals("\"a\"".getBytes(UTF_8), PlainFunctions.named("a"));
  }
}
