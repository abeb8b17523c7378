package dev.shunt.runtime.control;

import static dev.shunt.runtime.control.TwoNodes.SECOND;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.Notification;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.core.NotifyCodec;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What TENT's caller sent and got, sent and taken by ours; and a server that misbehaves. */
class TentClientTest {
  private static final int PORT = 7100;
  private static final List<String> SERVER = List.of("10.0.0.2:7100");
  private static final String GOOD = "15000000 00000000 04000000 00000000 eacf0189";

  private TwoNodes nodes;
  private RawPeer server;

  private void build(long seed) {
    nodes = new TwoNodes(seed);
    server = new RawPeer(nodes.hostB, "raw");
    server.listen("10.0.0.2", PORT);
  }

  @Test
  void requestsAreTheBytesThatTentSends() {
    for (long seed = 0; seed < 20; seed++) {
      build(seed);
      var known = Map.of("descriptor", TentServerTest.descriptor());
      Ending ending = null;
      int request = 0;
      for (var step : Transcript.load("tent-client.txt", known).steps()) {
        switch (step.kind()) {
          case CONNECT -> nodes.world.run(61 * SECOND);
          case TO_SERVER -> {
            ending = ask(request++ % 3);
            nodes.world.runUntil(() -> server.received.size() >= step.bytes().length, SECOND);
            assertEquals(hex(step.bytes()), hex(server.taken()), "line " + step.line());
          }
          case FROM_SERVER -> {
            server.send(step.bytes());
            assertTrue(nodes.until(ending, SECOND), "line " + step.line());
            if (request % 3 == 1) {
              assertArrayEquals(TentServerTest.descriptor(), ending.reply);
            } else {
              assertEquals(0, ending.reply.length);
            }
          }
          default -> throw new IllegalStateException("" + step);
        }
      }
      assertEquals(2, server.wires.size());
    }
  }

  private Ending ask(int which) {
    return switch (which) {
      case 0 -> nodes.call(SERVER, Functions.GET_SEGMENT_DESC, new byte[0], SECOND);
      case 1 ->
          nodes.call(SERVER, Functions.SUBSCRIBE, PlainFunctions.named("127.0.0.1:15200"), SECOND);
      default ->
          nodes.call(
              SERVER,
              Functions.NOTIFY,
              NotifyCodec.write(new Notification("benchmark", "140737168515072")),
              SECOND);
    };
  }

  private Ending probe(String answer) {
    var ending = nodes.call(SERVER, Functions.PROBE, new byte[0], 2 * SECOND);
    assertTrue(nodes.world.runUntil(() -> server.received.size() == 28, SECOND));
    server.taken();
    server.send(Transcript.bytes(answer, Map.of()));
    return ending;
  }

  private void refused(String answer, FailureCode code, String text) {
    build(1);
    var ending = probe(answer);
    assertTrue(nodes.until(ending, SECOND), text);
    assertEquals(code, ending.code());
    assertTrue(ending.fault.text().contains(text), ending.fault.text());
    assertEquals(0, nodes.a.outboundConnections(), "it is not used again");
    assertEquals(1, server.wires.size(), "nothing is asked twice");
  }

  @Test
  void aReplyThatIsNoneEndsTheCallAndTheConnection() {
    refused("16000000 00000000 04000000 00000000", FailureCode.PROTOCOL, "begins with bytes 22");
    refused("15010000 00000000 04000000 00000000", FailureCode.PROTOCOL, "and 1, not");
    refused("15000000 05000000 04000000 00000000 eacf0189", FailureCode.PROTOCOL, "request 5");
    refused("15000000 00000000 04000000 00000000 00000000", FailureCode.PROTOCOL, "empty result");
    refused("15000000 00000000 00000000 00000000", FailureCode.PROTOCOL, "empty result");
    refused(
        "15000000 00000000 ffffffff 00000000", FailureCode.PROTOCOL, "4294967295 bytes of body");
    refused("15000000 00000000 04000000 00000080", FailureCode.PROTOCOL, "2147483648 bytes of att");
  }

  @Test
  void anErrorIsToldWithItsText() {
    refused(
        "15000a00 00000000 13000000 00000000 76facf9d0e496e76616c6964206f70636f6465",
        FailureCode.PROTOCOL,
        "error 10: Invalid opcode");
    refused(
        "15000b00 00000000 28000000 00000000 77facf9d04800c001f"
            + "746865207270632066756e6374696f6e206e6f742072656769737465726564",
        FailureCode.UNSUPPORTED,
        "error 11: the rpc function not registered");
    refused("15000a00 00000000 00000000 00000000", FailureCode.PROTOCOL, "error 10: ");
    refused(
        "15000a00 00000000 33010000 00000000 77facf9d08 2c01 300*61",
        FailureCode.PROTOCOL,
        "a".repeat(300));
  }

  @Test
  void bytesAfterTheResultAreIgnored() {
    build(1);
    var ending = probe("15000000 00000000 06000000 00000000 eacf0189 0102");
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(0, ending.reply.length);
  }

  @Test
  void aReplyThatStopsHalfWayCostsTheDeadline() {
    for (var half : List.of("15", "15000000 00000000", GOOD.substring(0, 36), GOOD + " 00")) {
      build(1);
      var answer =
          half.equals(GOOD + " 00") ? "15000000 00000000 04000000 08000000 eacf0189 00" : half;
      long deadline = nodes.world.now() + 2 * SECOND;
      var ending = probe(answer);
      assertTrue(nodes.until(ending, 3 * SECOND));
      assertEquals(FailureCode.UNREACHABLE, ending.code(), half);
      assertEquals(Effect.POSSIBLE, ending.fault.effect());
      assertTrue(ending.at - deadline < SECOND / 100);
    }
  }

  @Test
  void aReplyThatIsCutEndsTheCallAtOnce() {
    build(1);
    var ending = probe("15000000 00000000");
    server.finish();
    assertTrue(nodes.until(ending, SECOND / 10));
    assertEquals(FailureCode.CONNECTION, ending.code());
  }

  @Test
  void bytesThatNobodyAskedForEndAnIdleConnection() {
    build(1);
    var ending = probe(GOOD);
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(1, nodes.a.outboundConnections());
    server.send(Transcript.bytes(GOOD, Map.of()));
    nodes.world.run(SECOND);
    assertEquals(0, nodes.a.outboundConnections());
  }

  @Test
  void anErrorBeforeTheRequestWentOutIsStillTold() {
    build(1);
    server.reads(false);
    var ending = nodes.call(SERVER, Functions.PROBE, new byte[1 << 20], 20 * SECOND);
    assertTrue(nodes.world.runUntil(() -> !server.wires.isEmpty(), SECOND));
    server.send(
        Transcript.bytes("15000e00 00000000 08000000 00000000 76facf9d 03 626967", Map.of()));
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(FailureCode.RESOURCE, ending.code());
    assertTrue(ending.fault.text().endsWith("error 14: big"), ending.fault.text());
    assertEquals(0, nodes.a.outboundConnections());
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
