package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.api.spi.RetireReason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the flight recorder keeps of devices and connections. */
class RecordedTest {
  @TempDir Path folder;

  private List<RecordedEvent> recorded(Runnable what) throws IOException {
    try (var recording = new Recording()) {
      recording.start();
      what.run();
      recording.stop();
      var file = folder.resolve("it.jfr");
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> event.getEventType().getName().startsWith("dev.shunt.rdma."))
          .sorted(java.util.Comparator.comparing(RecordedEvent::getStartTime))
          .toList();
    }
  }

  private static List<String> of(List<RecordedEvent> events, String node, String type) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("dev.shunt.rdma." + type))
        .filter(event -> event.getString("node").equals(node))
        .map(
            event ->
                type.equals("DeviceEvent")
                    ? event.getString("event") + " " + event.getInt("subject")
                    : event.getString("side") + " " + event.getString("state"))
        .toList();
  }

  @Test
  void eachChangeOfAConnectionIsOneEventOnBothSides() throws IOException {
    var pair = new Pair();
    var events =
        recorded(
            () -> {
              var link = pair.up();
              pair.a.channels.get(link).retire(RetireReason.EVICTED, pair.world.now());
              pair.down(link);
              pair.run(10 * MILLI);
            });
    assertEquals(
        List.of("ours connecting", "ours connected", "ours draining", "ours destroyed"),
        of(events, "a", "LinkChanged"));
    assertEquals(List.of("theirs connected", "theirs gone"), of(events, "b", "LinkChanged"));
  }

  @Test
  void whatADeviceTellsIsOneEvent() throws IOException {
    var pair = new Pair();
    var events =
        recorded(
            () -> {
              pair.nicsA[0].down();
              pair.nicsA[0].event(77, 3);
              pair.run(MILLI);
            });
    assertEquals(List.of("PORT_ERR 1", "event 77 3"), of(events, "a", "DeviceEvent"));
  }
}
