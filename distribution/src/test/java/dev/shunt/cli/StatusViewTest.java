package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Drained;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusViewTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final String PEERS =
      """
      {"name":"%s","generation":"12","transport":"tcp","since":"2026-03-01T11:59:00Z",
       "capabilities":{"tcp.stream":1},"queued_requests":%d,"in_flight_bytes":1048576,
       "paths":[{"transport":"tcp","local_rail":"a","remote_rail":"b","state":"PAUSED",
                 "until":"2026-03-01T12:00:30Z","cause":"UNREACHABLE: no route to that host","carried_bytes":1048576,"errors":2,
                 "next_pause_ms":60000}]}\
      """;

  private static String status(long bytes, String peers) {
    return """
    {"name":"10.0.0.2:15000","generation":"7","state":"READY",
     "started":"2026-03-01T08:47:59.5Z","control":["10.0.0.2:15000"],"stuck":["tcp-lane-0"],
     "transports":[{"id":"tcp","lanes":2,"outbound_bytes":%d,"outbound_requests":100,
       "failed_requests":3,"inbound_bytes":0,"inbound_requests":0,
       "rails":[{"name":"10.0.0.2","state":"INACTIVE","since":"2026-03-01T11:57:00Z",
                 "cause":"the link is down, and this goes on and on until a line is full and more"}]}],
     "peers":[%s],"memory":{"buffers":1,"registered_bytes":67108864},"queues":{},
     "plugins":[{"kind":"transport","id":"rdma","state":"FAILED","cause":"no device"}],
     "counters":{},"later":[{"a":null,"b":1.5,"c":true}]}\
    """
        .formatted(bytes, peers);
  }

  private static Tree tree(String text) {
    return Tree.read("a status", text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> lines(Tree now, Optional<Tree> before, int mostPeers) {
    return new StatusView(now, before, 2_000_000_000L, NOON, mostPeers).lines(42);
  }

  @Test
  void itSaysSinceWhenAndWhyAtAHundredColumns() {
    var lines = lines(tree(status(0, PEERS.formatted("10.0.0.3:15000", 4))), Optional.empty(), 16);
    var text = String.join("\n", lines);
    assertTrue(lines.getFirst().contains("10.0.0.2:15000 is READY, up 3 h 12 min, pid 42"), text);
    assertTrue(text.contains("STUCK       tcp-lane-0 makes no progress"), text);
    assertTrue(text.contains("10.0.0.2 INACTIVE since "), text);
    assertTrue(text.contains("(3 min 0 s): the link is down"), text);
    assertTrue(text.contains("met "), text);
    assertTrue(text.contains("a > b PAUSED until "), text);
    assertTrue(
        text.replaceAll("\\s+", " ")
            .contains(
                "for 30 s, carried 1 MiB, 2 errors towards a pause: UNREACHABLE: no route to that"
                    + " host; the next pause is 1 min 0 s"),
        text);
    assertTrue(text.contains("agreed on tcp.stream 1"), text);
    assertTrue(text.contains("transport rdma FAILED: no device"), text);
    lines.forEach(line -> assertTrue(line.length() <= 100, line));
  }

  @Test
  void whatATransportShowsOfItsInsideIsOneLineForEachThing() {
    var shown =
        status(0, "")
            .replace(
                "\"rails\":",
                """
                "details":[{"kind":"device","name":"mlx5_0","facts":{"board":"MT_8","numa-node":"1"},
                            "counts":{"qps":4,"qps-err":0,"registered-bytes":1048576}}],"rails":""");
    var text = String.join("\n", lines(tree(shown), Optional.empty(), 16));
    assertTrue(
        text.contains(
            "  device    mlx5_0: board MT_8, numa-node 1, qps 4, registered-bytes 1048576"),
        text);
    assertTrue(!text.contains("qps-err"), "what there is none of is no news: " + text);
  }

  @Test
  void ratesAreSinceTheLastLook() {
    var before = tree(status(0, ""));
    var lines = lines(tree(status(4L << 30, "")), Optional.of(before), 16);
    assertTrue(String.join("\n", lines).contains("out 2 GiB/s, 0 requests/s"), lines.toString());
  }

  @Test
  void whoHasMostToDoComesFirst() {
    var peers = PEERS.formatted("idle:1", 0) + "," + PEERS.formatted("busy:1", 9);
    var text = String.join("\n", lines(tree(status(0, peers)), Optional.empty(), 1));
    assertTrue(text.contains("busy:1") && !text.contains("idle:1"), text);
    assertTrue(text.contains("... and 1 peer more"), text);
  }

  private static String rail(String state, String more) {
    var rail =
        """
        {"name":"r","state":"%s","since":"2026-03-01T11:57:00Z","cause":"the cable is out",
         "next_delay_ms":60000,"failures_in_a_row":0%s}\
        """
            .formatted(state, more);
    return new RailLines(new Times(NOON), "tcp").line(tree(rail));
  }

  @Test
  void aRailSaysWhatItIsAtWhyAndWhatHappensNext() {
    var clock = new Times(NOON).clock(Instant.parse("2026-03-01T12:00:12Z"));
    var inactive = rail("INACTIVE", "");
    assertTrue(inactive.startsWith("r INACTIVE since "), inactive);
    assertTrue(
        inactive.endsWith(
            " (3 min 0 s): the cable is out; waits for its link, then 1 min 0 s and a check;"
                + " by hand: 'shunt rail restore tcp/r'"),
        inactive);
    var waits = rail("RECOVERING", ",\"recover_at\":\"2026-03-01T12:00:12Z\"");
    assertTrue(
        waits.endsWith(
            "(3 min 0 s), to be checked in 12 s, at "
                + clock
                + ": the cable is out; if that fails, it waits 1 min 0 s"),
        waits);
    var due = rail("RECOVERING", ",\"recover_at\":\"2026-03-01T12:00:00.4Z\"");
    assertTrue(due.contains("to be checked in 400 ms, at "), due);
    assertTrue(rail("RECOVERING", "").contains(", being checked now: the cable"), "a check");
    var drained = rail("DRAINED", "");
    assertTrue(drained.contains("; stays so until 'shunt rail restore tcp/r'"), drained);
    var active = rail("ACTIVE", ",\"verified_at\":\"2026-03-01T12:00:12Z\"");
    assertTrue(
        active.endsWith(
            ", verified at "
                + clock
                + "; was out of use: the cable is out; lost now, it would wait 1 min 0 s and a"
                + " check"),
        active);
    var never = new RailLines(new Times(NOON), "tcp");
    var fresh = "{\"name\":\"r\",\"state\":\"ACTIVE\",\"cause\":\"\",\"next_delay_ms\":30000";
    assertEquals("r ACTIVE", never.line(tree(fresh + "}")));
    assertEquals(
        "r ACTIVE; 5 failures in a row", never.line(tree(fresh + ",\"failures_in_a_row\":5}")));
    assertEquals("r LATER", never.line(tree("{\"name\":\"r\",\"state\":\"LATER\"}")));
  }

  @Test
  void aPeerThatDoesNotAnswerComesFirstWithSinceWhenAndWhy() {
    var silent =
        """
        {"name":"silent:1","generation":"5","transport":"tcp","queued_requests":0,
         "unreachable":{"since":"2026-03-01T11:59:00Z","cause":"no answer within 2 s",
         "next_probe":"2026-03-01T12:00:01Z"}}\
        """;
    var peers = PEERS.formatted("busy:1", 9).replace("PAUSED", "UP") + "," + silent;
    var lines = lines(tree(status(0, peers)), Optional.empty(), 1);
    var text = String.join("\n", lines);
    assertTrue(text.contains("silent:1") && !text.contains("busy:1"), text);
    assertTrue(text.contains("UNREACHABLE since "), text);
    var flat = text.replaceAll("\\s+", " ");
    assertTrue(flat.contains("(1 min 0 s): no answer within 2 s; asked again in 1 s, at "), text);
    assertTrue(
        text.contains("TROUBLE     rail tcp/10.0.0.2 not in use, 1 of 2 peers unreachable"), text);
    lines.forEach(line -> assertTrue(line.length() <= 100, line));
  }

  @Test
  void whatIsWellIsNoTroubleAndWhatHappenedIsCounted() {
    var well =
        """
        {"transports":[{"rails":[{"name":"r","state":"ACTIVE"}]}],"peers":[{"name":"p"}],
         "memory":{},"counters":{"attempts-failed":0}}\
        """;
    assertEquals(List.of(), Trouble.now(tree(well)));
    assertEquals(List.of(), Trouble.soFar(tree(well).object("counters")));
    var counters =
        """
        {"attempts-failed":1200,"handed-off":1,"redispatched":7,"requests-moved":2,"unfenced":1,
         "stood-still":1,"bytes-completed":5}\
        """;
    assertEquals(
        List.of(
            "1,200 attempts failed",
            "1 handed to another rail here",
            "7 sent to other rails there",
            "2 requests moved to another transport",
            "1 write done by patience",
            "1 standstill of this process"),
        Trouble.soFar(tree(counters)));
    var idle = "{\"name\":\"r\",\"state\":\"DRAINED\"},".repeat(4);
    var rails = "{\"transports\":[{\"id\":\"t\",\"rails\":[" + idle + "{\"state\":\"ACTIVE\"}]}]}";
    assertEquals(List.of("4 of 5 rails not in use"), Trouble.now(tree(rails)));
    var paused = PEERS.formatted("p:1", 0);
    var memory = "\"memory\":{\"quarantined_bytes\":1024}";
    assertEquals(
        List.of("1 path paused", "1 KiB in quarantine"),
        Trouble.now(tree("{\"peers\":[" + paused + "]," + memory + "}")));
  }

  @Test
  void spansAreShort() {
    assertEquals("0 s", Times.span(Duration.ofSeconds(-3)));
    assertEquals("59 s", Times.span(Duration.ofSeconds(59)));
    assertEquals("1 min 1 s", Times.span(Duration.ofSeconds(61)));
    assertEquals("2 d 3 h", Times.span(Duration.ofHours(51).plusMinutes(9)));
  }

  @Test
  void whatIsCutOffOfOthersIsNoFailureOfOurs() {
    assertTrue(new Drained(0, 0, 3, 0, 3).clean());
    assertTrue(!new Drained(1, 0, 0, 0, 0).clean());
    assertTrue(!new Drained(0, 0, 0, 1, 0).clean());
  }
}
