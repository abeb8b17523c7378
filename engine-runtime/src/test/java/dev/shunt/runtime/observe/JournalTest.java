package dev.shunt.runtime.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final PathName PATH = new PathName("tcp", "peer:1", "left", "right");

  private final Journal journal = new Journal(() -> 5_000);
  @TempDir Path folder;

  private void everything() {
    for (var change : Change.values()) {
      switch (change) {
        case RAIL_INACTIVE,
            RAIL_RECOVERING,
            RAIL_ACTIVE,
            RAIL_DRAINED,
            RAIL_CHECK_FAILED,
            RAIL_READDRESSED ->
            journal.rail(change, "tcp", "left", "cable");
        case PATH_PAUSED, PATH_RESUMED -> journal.path(change, PATH, 7, "slow");
        case CHANNEL_UP, CHANNEL_DOWN -> journal.channel(change, PATH, "reset");
        case PEER_MET, PEER_STALE, PEER_CLOSING, PEER_FORGOTTEN, PEER_UNREACHABLE, PEER_REACHABLE ->
            journal.peer(change, "peer:1", -1, "new");
        case NODE_STARTING, NODE_READY, NODE_DRAINING, NODE_STOPPED -> journal.node(change, 9, "");
        case NODE_STOOD_STILL -> journal.stoodStill(13);
        case TRANSPORT_STARTED, TRANSPORT_FAILED -> journal.transport(change, "tcp", 2, "");
        case PLUGIN_REFUSED -> journal.pluginRefused("transport", "x", "a jar", "it threw");
        case DESCRIPTOR_PUBLISHED -> journal.descriptorPublished(123);
        case AGENT_STUCK, AGENT_MOVING -> journal.agent(change, "lane", 11);
      }
    }
    journal.handedOff(PATH, true, 4096, 3, true);
    journal.requestMoved("peer:1", "tcp", "tent", false, 8192, 4);
    journal.unfenced("peer:1", "tent", 512);
    journal.attemptFailed(
        PATH,
        true,
        4096,
        2,
        new Fault(
            Fault.Blame.REMOTE, FailureCode.CONNECTION, Fault.Effect.POSSIBLE, "it was reset"));
  }

  @Test
  void eachChangeIsCountedAndIsOneEvent() throws IOException {
    journal.name("node:1");
    List<RecordedEvent> events;
    try (var recording = new Recording()) {
      recording.start();
      everything();
      var trace = journal.begin("peer:1", "tcp");
      trace.ended(true, 10, 1, 1, "COMPLETED", "", 1, 2);
      recording.stop();
      var file = folder.resolve("all.jfr");
      recording.dump(file);
      events =
          RecordingFile.readAllEvents(file).stream()
              .filter(e -> e.getEventType().getName().startsWith("dev.shunt."))
              .filter(e -> e.getString("node").equals("node:1"))
              .toList();
    }
    assertEquals(Change.values().length + 4, events.size(), "a request that was quick is none");
    var seen = new HashSet<String>();
    for (var event : events) {
      var state = event.hasField("state") ? event.getString("state") : "";
      assertTrue(seen.add(event.getEventType().getName() + " " + state), event.toString());
      assertNull(event.getStackTrace(), "a stack trace");
    }
    for (var change : Change.values()) {
      assertEquals(1, journal.count(change), change.toString());
    }
    var failed = named(events, "AttemptFailed");
    assertEquals("it was reset", failed.getString("cause"));
    assertEquals("REMOTE", failed.getString("blame"));
    assertEquals("left", failed.getString("localRail"));
    assertEquals(2, failed.getInt("attempt"));
    assertEquals("18446744073709551615", named(events, "PeerChanged").getString("generation"));
    var handedOff = named(events, "SliceHandedOff");
    assertEquals("local", handedOff.getString("changes"));
    assertEquals("left", handedOff.getString("localRail"));
    assertEquals(3, handedOff.getInt("attempt"));
    var moved = named(events, "RequestMoved");
    assertEquals("tcp", moved.getString("transport"));
    assertEquals("tent", moved.getString("next"));
    assertEquals("READ", moved.getString("operation"));
    assertEquals(512, named(events, "UnfencedWrite").getLong("bytes"));
    assertEquals(Duration.ofNanos(13), named(events, "StoodStill").getDuration("silence"));
    assertEquals("it threw", named(events, "PluginRefused").getString("cause"));
  }

  private static RecordedEvent named(List<RecordedEvent> events, String type) {
    return events.stream()
        .filter(e -> e.getEventType().getName().equals("dev.shunt." + type))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void sinceWhenAndWhyIsKept() {
    journal.rail(Change.RAIL_INACTIVE, "tcp", "left", "cable");
    journal.peer(Change.PEER_MET, "peer:1", 1, "");
    var since = Instant.ofEpochMilli(5_000);
    assertEquals(Optional.of(new Journal.Since(since, "cable")), journal.rail("tcp", "left"));
    assertEquals(Optional.empty(), journal.rail("tcp", "right"));
    journal.rail(Change.RAIL_CHECK_FAILED, "tcp", "left", "no echo");
    assertEquals("cable", journal.rail("tcp", "left").orElseThrow().cause(), "no other state");
    assertEquals(since, journal.peer("peer:1").orElseThrow().since());
    journal.peer(Change.PEER_FORGOTTEN, "peer:1", 1, "");
    assertEquals(Optional.empty(), journal.peer("peer:1"), "who is forgotten takes no room");
  }

  @Test
  void withoutARecordingARequestHasNoEvent() {
    assertNull(journal.begin("peer:1", "tcp"));
  }

  @Test
  void statesAreNamedOnce() {
    var names = new TreeMap<String, Change>();
    for (var change : Change.values()) {
      assertNull(names.put(change.subject() + " " + change.state(), change), change.toString());
      assertNotEquals("", change.state());
    }
  }

  @Test
  void aMomentIsTheSameTimeHoweverOftenSomebodyLooks() {
    long[] wall = {100_000};
    var looked = new Journal(() -> wall[0]);
    var since = looked.at("rail tcp/left since", 7, 1_000_007);
    assertEquals(Instant.ofEpochMilli(99_999), since);
    wall[0] += 60_003;
    assertEquals(since, looked.at("rail tcp/left since", 7, 60_000_000_000L));
    assertEquals(
        Instant.ofEpochMilli(wall[0]), looked.at("rail tcp/left since", 8, 8), "another change");
  }

  @Test
  void ofMomentsSoManyAreRemembered() {
    var moments = new Moments();
    for (int i = 0; i < 20_000; i++) {
      moments.at("peer " + i, i, i, Instant.EPOCH);
    }
    assertEquals(8192, moments.size());
  }
}
