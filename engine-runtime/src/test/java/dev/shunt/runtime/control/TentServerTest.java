package dev.shunt.runtime.control;

import static dev.shunt.runtime.control.TwoNodes.SECOND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What TENT's server was asked and answered, asked of ours. */
class TentServerTest {
  private final List<String> delivered = new ArrayList<>();
  private PlainFunctions plain;

  static byte[] descriptor() {
    try (var stream =
        TentServerTest.class.getResourceAsStream(
            "/dev/shunt/runtime/descriptor/tent-descriptor.json")) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void replay(String name) {
    for (long seed = 0; seed < 20; seed++) {
      delivered.clear();
      replay(name, seed);
    }
  }

  private void replay(String name, long seed) {
    var nodes = new TwoNodes(seed);
    plain =
        PlainFunctions.install(
            nodes.b,
            "b",
            TentServerTest::descriptor,
            (title, message) ->
                delivered.add(
                    title + "/" + (message.equals("A".repeat(70000)) ? "70000 A" : message)),
            segment -> {});
    var client = new RawPeer(nodes.hostA, "raw");
    for (var step : Transcript.load(name, Map.of("descriptor", descriptor())).steps()) {
      var where = name + ":" + step.line() + " seed " + seed;
      switch (step.kind()) {
        case CONNECT -> client.connect("10.0.0.1", "10.0.0.2", TwoNodes.PORT);
        case TO_SERVER -> client.send(step.bytes());
        case FROM_SERVER -> {
          nodes.world.runUntil(() -> client.received.size() >= step.bytes().length, SECOND);
          assertEquals(hex(step.bytes()), hex(client.taken()), where);
        }
        case CLIENT_ENDS -> {
          client.finish();
          assertTrue(nodes.world.runUntil(client::finished, SECOND), where);
        }
        case SERVER_ENDS -> {
          nodes.world.runUntil(() -> client.ended || client.broke, SECOND);
          assertEquals(0, client.received.size(), where);
          nodes.world.runUntil(() -> nodes.b.inboundConnections() == 0, SECOND);
          assertEquals(0, nodes.b.inboundConnections(), where);
        }
        case SILENCE -> {
          nodes.world.run(SECOND);
          assertFalse(client.ended || client.broke, where);
          assertEquals(0, client.received.size(), where);
        }
      }
    }
    nodes.world.run(SECOND);
    assertEquals(0, nodes.b.inboundConnections(), name);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void theDescriptorAndSubscriptionsAreAnsweredAsTentDoes() {
    replay("tent-segment-desc.txt");
    assertEquals(List.of("127.0.0.1:15999"), plain.subscribers());
  }

  @Test
  void probesAndNotificationsAreAnsweredAsTentDoes() {
    replay("tent-probe-notify.txt");
    assertEquals(
        List.of("n1/hello", "n1/second", "n1/\u00e9\n\u0000 end \u00fc", "/", "big/70000 A"),
        delivered);
  }

  @Test
  void unknownFunctionsAreAnsweredAsTentDoes() {
    replay("tent-unknown-functions.txt");
  }

  @Test
  void brokenFramesEndTheConnectionAsInTent() {
    replay("tent-framing-errors.txt");
  }

  @Test
  void aFullInboxIsAnErrorToTheSender() {
    var nodes = new TwoNodes(1);
    PlainFunctions.install(
        nodes.b, "b", TentServerTest::descriptor, (name, message) -> false, segment -> {});
    var ending =
        nodes.call(TwoNodes.B, 5, "{\"name\":\"n\",\"msg\":\"m\"}".getBytes(UTF_8), SECOND);
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(dev.shunt.api.FailureCode.BUSY, ending.code());
    assertEquals(10, ending.fault.vendorCode());
  }

  @Test
  void aRefusedReadNeverHasTheLengthThatWasAsked() {
    var nodes = new TwoNodes(2);
    PlainFunctions.install(
        nodes.b, "b", TentServerTest::descriptor, (name, message) -> true, segment -> {});
    for (int length = 0; length < 100; length++) {
      var request = new byte[16];
      request[8] = (byte) length;
      var ending = nodes.call(TwoNodes.B, 4, request, SECOND);
      assertTrue(nodes.until(ending, SECOND));
      assertTrue(ending.reply.length > 0 && ending.reply.length != length, "" + length);
    }
  }

  @Test
  void whatIsNotLentIsRefusedSoThatTentUnderstands() {
    var nodes = new TwoNodes(3);
    PlainFunctions.install(
        nodes.b, "b", TentServerTest::descriptor, (name, message) -> true, segment -> {});
    var write = nodes.call(TwoNodes.B, 3, new byte[16], SECOND);
    assertTrue(nodes.until(write, SECOND));
    assertTrue(write.text().contains("does not serve it"), write.text());
    var copy =
        "{'opcode':'READ','source':1,'target_id':0,'target_offset':2,'length':3,'x':[]}"
            .replace('\'', '"');
    var delegate = nodes.call(TwoNodes.B, 7, copy.getBytes(UTF_8), SECOND);
    assertTrue(nodes.until(delegate, SECOND));
    assertTrue(delegate.text().startsWith("Delegate failed: "), delegate.text());
    for (var broken : List.of("", "{}", copy.replace("READ", "COPY"), copy.replace("1", "'1'"))) {
      var ending = nodes.call(TwoNodes.B, 7, broken.getBytes(UTF_8), SECOND);
      assertTrue(nodes.until(ending, SECOND));
      assertEquals(10, ending.fault.vendorCode(), broken);
    }
    for (int function : List.of(8, 9)) {
      var ending = nodes.call(TwoNodes.B, function, "\"cpu:0\"".getBytes(UTF_8), SECOND);
      assertTrue(nodes.until(ending, SECOND));
      assertEquals(10, ending.fault.vendorCode(), "a text would be read as JSON");
    }
    var bootstrap = nodes.call(TwoNodes.B, 2, "{}".getBytes(UTF_8), SECOND);
    assertTrue(nodes.until(bootstrap, SECOND));
    assertEquals(
        "{\"local_gid\":\"\",\"local_lid\":0,\"local_nic_path\":\"\",\"notify_qp_num\":0,"
            + "\"peer_nic_path\":\"\",\"qp_num\":[],"
            + "\"reply_msg\":\"NOT_READY: transport not initialized\"}",
        bootstrap.text());
  }

  @Test
  void aBadSubscriptionIsRefusedAndManyAreBounded() {
    var nodes = new TwoNodes(4);
    var functions =
        PlainFunctions.install(
            nodes.b, "b", TentServerTest::descriptor, (name, message) -> true, segment -> {});
    var bad = nodes.call(TwoNodes.B, 10, "not json".getBytes(UTF_8), SECOND);
    assertTrue(nodes.until(bad, SECOND));
    assertEquals(10, bad.fault.vendorCode());
    for (int i = 0; i < PlainFunctions.MAX_SUBSCRIBERS + 10; i++) {
      var ending = nodes.call(TwoNodes.B, 10, PlainFunctions.named("10.0.0.1:" + i), SECOND);
      assertTrue(nodes.until(ending, SECOND));
    }
    assertEquals(PlainFunctions.MAX_SUBSCRIBERS, functions.subscribers().size());
    assertEquals("10.0.0.1:10", functions.subscribers().getFirst());
  }
}
