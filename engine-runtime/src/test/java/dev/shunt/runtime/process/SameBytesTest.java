package dev.shunt.runtime.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.shunt.api.Access;
import dev.shunt.api.Engine;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.transport.tcp.core.Preamble;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a node says, and is told, with something switched off is what one says that never had it:
 * both conversations are recorded, over the control plane and the streams, and compared whole.
 * Generations, and what depends on them or on chance in a preamble, are made the same before. Of
 * the control plane call by call: which of its connections at rest carries one is chance.
 */
class SameBytesTest {
  private static final int LENGTH = 100_000;
  private static final String BEHIND = "127.0.0.1";
  private static final String TOLD = "127.0.0.2";
  private static final int GENERATION_AT = 16;
  private static final String SHUNT = HexFormat.of().formatHex("shunt".getBytes(US_ASCII));

  private final List<AutoCloseable> rest = new ArrayList<>();
  private final int[] ports = new int[4];
  private RecordingRelay control;
  private RecordingRelay streams;
  private Engine peer;

  @AfterEach
  void close() throws Exception {
    for (var each : rest.reversed()) {
      each.close();
    }
  }

  /** A node that is asked: what is said to it goes by relays. */
  private void open(String... settings) throws IOException, InterruptedException {
    var held = new ArrayList<ServerSocket>();
    for (int i = 0; i < ports.length; i += 2) {
      var one = new ServerSocket(0, 1, InetAddress.getByName(BEHIND));
      held.add(one);
      held.add(new ServerSocket(one.getLocalPort(), 1, InetAddress.getByName(TOLD)));
      ports[i] = one.getLocalPort();
      var own = new ServerSocket(0, 1, InetAddress.getByName(BEHIND));
      held.add(own);
      ports[i + 1] = own.getLocalPort();
    }
    for (var socket : held) {
      socket.close();
    }
    control = relay(ports[0]);
    streams = relay(ports[2]);
    var all =
        new ArrayList<>(
            List.of(
                "control.port=" + ports[0],
                "control.advertise=[\"" + TOLD + ":" + ports[0] + "\"]",
                "transports.tcp.lanes=1",
                rail(ports[2], TOLD)));
    all.addAll(List.of(settings));
    peer = Settings.open(all);
    rest.add(peer);
    peer.register(peer.arena().allocate(LENGTH, 4096), Access.REMOTE_READ_WRITE);
  }

  private static String rail(int port, String told) {
    return "transports.tcp.rails=[{ address = \"%s\", name = r, port = %d, advertise = \"%s\" }]"
        .formatted(BEHIND, port, told);
  }

  private RecordingRelay relay(int port) throws IOException {
    var relay =
        new RecordingRelay(new InetSocketAddress(TOLD, port), new InetSocketAddress(BEHIND, port));
    rest.add(relay);
    return relay;
  }

  /** All that a node with those says and is told, by call and by stream. */
  private List<String> said(Predicate<String> has, String... settings) throws Exception {
    var all = new ArrayList<>(List.of("control.port=" + ports[1]));
    if (has.test("transport-tcp")) {
      all.addAll(List.of("transports.tcp.lanes=1", rail(ports[3], BEHIND)));
    }
    all.addAll(List.of(settings));
    String generation;
    try (var node = NodeProcess.start(List.of(), has, all)) {
      generation = node.ask("generation");
      assertEquals("ok", node.ask("open " + peer.name()));
      var sum = node.ask("write " + LENGTH + " 5");
      assertEquals(sum, node.ask("get " + LENGTH));
      assertEquals("Delivered[]", node.ask("send name text"));
      control.answered(Functions.SUBSCRIBE);
    }
    var said = new ArrayList<String>();
    var by = Long.parseUnsignedLong(generation);
    for (var each : control.take()) {
      var requests = ControlFrames.requests(each.there());
      var replies = ControlFrames.replies(each.back());
      assertEquals(requests.size(), replies.size(), "answers");
      for (int i = 0; i < requests.size(); i++) {
        said.add("control " + text(requests.get(i), by) + " | " + text(replies.get(i), by));
      }
    }
    for (var each : streams.take()) {
      said.add("stream " + stream(each.there()) + " | " + HexFormat.of().formatHex(each.back()));
    }
    said.sort(null);
    return said;
  }

  /** A frame of the control plane, with the one's generation named alike. */
  private static String text(byte[] frame, long generation) {
    var bytes = ControlFrames.first(frame);
    var digits = Long.toUnsignedString(generation).getBytes(US_ASCII);
    var same = "9".repeat(digits.length).getBytes(US_ASCII);
    return HexFormat.of()
        .formatHex(bytes)
        .replace(HexFormat.of().formatHex(digits), HexFormat.of().formatHex(same));
  }

  /** A stream, with the same generation and checksum in its preamble. */
  private static String stream(byte[] bytes) {
    Arrays.fill(bytes, GENERATION_AT, GENERATION_AT + Long.BYTES, (byte) 9);
    Arrays.fill(bytes, Preamble.LENGTH - Integer.BYTES, Preamble.LENGTH, (byte) 9);
    return HexFormat.of().formatHex(bytes);
  }

  private static final Predicate<String> ALL = _ -> true;

  private static Predicate<String> without(String... modules) {
    return part -> List.of(modules).stream().noneMatch(part::contains);
  }

  /** All of it, and if not, where it differs first. */
  private static void same(List<String> one, List<String> other) {
    assertEquals(one.size(), other.size(), "conversations");
    for (int i = 0; i < one.size(); i++) {
      var at = Arrays.mismatch(one.get(i).getBytes(US_ASCII), other.get(i).getBytes(US_ASCII));
      if (at >= 0) {
        var from = Math.max(0, at - 60) / 2 * 2;
        fail(
            "conversation %d at %d: ...%s... or ...%s..."
                .formatted(i, at, near(one.get(i), from), near(other.get(i), from)));
      }
    }
  }

  private static String near(String said, int from) {
    return said.substring(from, Math.min(said.length(), from + 200));
  }

  private static long streams(List<String> said) {
    return said.stream().filter(each -> each.startsWith("stream")).count();
  }

  @Test
  void theSameNodeSaysTheSameTwice() throws Exception {
    open();
    var once = said(ALL);
    assertTrue(streams(once) > 0);
    same(once, said(ALL));
  }

  @Test
  void aPolicyThatIsExcludedIsOneThatIsNotThere() throws Exception {
    open();
    var excluded = said(ALL, "plugins.exclude=[failover]");
    assertTrue(streams(excluded) > 0);
    same(excluded, said(without("policy-failover")));
    same(excluded, said(ALL, "peer-health.enable=false"));
  }

  @Test
  void aTransportThatIsExcludedIsOneThatIsNotThere() throws Exception {
    open();
    var excluded = said(ALL, "transports.tcp.enable=false");
    assertEquals(0, streams(excluded));
    same(excluded, said(without("transport-tcp")));
  }

  @Test
  void checksumsThatAreOffAreOnesThatNobodyHeardOf() throws Exception {
    open("capabilities.\"tcp.crc32c\"=on");
    var off = said(ALL, "capabilities.\"tcp.crc32c\"=off");
    assertTrue(streams(off) > 0);
    same(off, said(ALL, LoneNode.LACKS + "tcp.crc32c"));
    var on = said(ALL, "capabilities.\"tcp.crc32c\"=on");
    assertNotEquals(off, on, "and where it is on that can be seen");
  }

  @Test
  void streamsThatAreOffAreOnesThatNobodyHeardOf() throws Exception {
    open();
    var off = said(ALL, "capabilities.\"tcp.stream\"=off");
    assertEquals(0, streams(off));
    same(off, said(without("transport-tcp")));
  }

  @Test
  void toAPlainPeerAllOfOursSaysWhatNoneOfItWould() throws Exception {
    open("control.extension=false");
    var all = said(ALL, "capabilities.\"tcp.crc32c\"=on");
    assertEquals(0, streams(all));
    assertFalse(String.join("", all).contains(SHUNT), "our key");
    same(all, said(without("transport-", "policy-")));
    same(all, said(ALL, "control.extension=false"));
  }

  /** What it is asked for, it answers as one that has nothing of ours but the runtime. */
  @Test
  void aNodeThatDoesNotSayWhoItIsIsToldOfAsAPlainOne() throws Exception {
    open("control.extension=false");
    var all = said(ALL);
    assertFalse(String.join("", all).contains(SHUNT), "our key");
    var keys = HexFormat.of().formatHex("\"tcp\"".getBytes(US_ASCII));
    assertFalse(String.join("", all).contains(keys), "keys of our streams");
  }

  /** Of the runtime's own, which no node lacks: all but the one list of offers is the same. */
  @Test
  void toAPeerThatLacksSomethingOnlyTheOfferOfItIsMore() throws Exception {
    var own = List.of("control.error_reply", "control.fence", "link.echo");
    var off = own.stream().map(id -> "capabilities.\"" + id + "\"=off").toArray(String[]::new);
    open(off);
    var without = said(ALL, off);
    var with = said(ALL);
    assertTrue(streams(with) > 0);
    same(beside(without), beside(with));
    for (var id : own) {
      var name = HexFormat.of().formatHex(id.getBytes(US_ASCII));
      assertFalse(String.join("", without).contains(name), id);
      assertFalse(String.join("", beside(with)).contains(name), id);
    }
  }

  /** All but the Hello. */
  private static List<String> beside(List<String> said) {
    var hello = HexFormat.of().formatHex("\"offers\"".getBytes(US_ASCII));
    var beside = said.stream().filter(each -> !each.contains(hello)).toList();
    assertEquals(said.size() - 1, beside.size());
    return beside;
  }
}
