package dev.shunt.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/**
 * Listens to the flight recorder for what happens to rails, paths and peers of a node of this
 * process. Of what happens again and again the first {@value #MOST} are kept, and the rest counted.
 */
final class FaultWatch implements AutoCloseable {
  static final int MOST = 200;

  private static final List<String> EVENTS =
      List.of(
          "dev.shunt.RailChanged",
          "dev.shunt.PathChanged",
          "dev.shunt.PeerChanged",
          "dev.shunt.StoodStill");

  private final String node;
  private final List<Happened> happened = new ArrayList<>();
  private final Map<String, String> railStates = new HashMap<>();
  private long more;
  private String problem = "";
  private Optional<RecordingStream> stream = Optional.empty();

  private record Happened(Instant at, Mark.Kind kind, String text) {}

  private FaultWatch(String node) {
    this.node = node;
  }

  /** Listens for what a node tells, from now on; a JVM without a flight recorder is no reason. */
  static FaultWatch begin(String node) {
    var watch = new FaultWatch(node);
    try {
      var opened = new RecordingStream();
      watch.stream = Optional.of(opened);
      EVENTS.forEach(opened::enable);
      watch.listen(opened);
      opened.startAsync();
    } catch (IllegalStateException | SecurityException e) {
      watch.fail(e);
    }
    return watch;
  }

  private void listen(EventStream opened) {
    EVENTS.forEach(event -> opened.onEvent(event, this::take));
    opened.onError(this::fail);
  }

  private synchronized void fail(Throwable thrown) {
    problem = "the flight recorder does not tell: " + thrown.getMessage();
  }

  /**
   * Ends it, and tells what came.
   *
   * @param start what times count from
   * @param span what comes later than so long after it, or earlier than that, is left out
   */
  Marks end(Instant start, Duration span) {
    stream.ifPresent(RecordingStream::stop);
    close();
    synchronized (this) {
      var marks =
          happened.stream()
              .map(h -> new Mark(Duration.between(start, h.at).toNanos(), h.kind, h.text))
              .filter(mark -> mark.at() >= 0 && mark.at() <= span.toNanos())
              .sorted(Comparator.comparingLong(Mark::at))
              .toList();
      return new Marks(marks, more, problem);
    }
  }

  @Override
  public void close() {
    stream.ifPresent(RecordingStream::close);
    stream = Optional.empty();
  }

  private synchronized void take(RecordedEvent event) {
    if (!node.equals(event.getString("node"))) {
      return;
    }
    switch (event.getEventType().getName()) {
      case "dev.shunt.RailChanged" -> rail(event);
      case "dev.shunt.PathChanged" -> path(event);
      case "dev.shunt.PeerChanged" -> peer(event);
      default ->
          add(
              event,
              Mark.Kind.NEWS,
              "this process stood still for "
                  + Units.nanos(event.getDuration("silence").toNanos()));
    }
  }

  private void rail(RecordedEvent event) {
    var rail = event.getString("transport") + "/" + event.getString("rail");
    var state = event.getString("state");
    if (state.equals("check_failed")) {
      add(event, Mark.Kind.NEWS, "rail " + rail + " does not work yet" + because(event));
      return;
    }
    var before = Optional.ofNullable(railStates.put(rail, state)).orElse("active");
    if (state.equals("active")) {
      add(event, Mark.Kind.BACK, "rail " + rail + " is in use again");
    } else {
      // What was lost before is not lost once more.
      var kind = before.equals("active") ? Mark.Kind.LOST : Mark.Kind.NEWS;
      add(event, kind, "rail " + rail + " is " + state + because(event));
    }
  }

  private void path(RecordedEvent event) {
    var path =
        "path "
            + event.getString("transport")
            + " "
            + event.getString("localRail")
            + " > "
            + event.getString("remoteRail")
            + " of "
            + event.getString("peer");
    if (event.getString("state").equals("paused")) {
      var rest = Units.nanos(event.getDuration("rest").toNanos());
      add(event, Mark.Kind.LOST, path + " rests for " + rest + because(event));
    } else {
      add(event, Mark.Kind.BACK, path + " may be used again");
    }
  }

  private void peer(RecordedEvent event) {
    var peer = "peer " + event.getString("peer");
    switch (event.getString("state")) {
      case "unreachable" -> add(event, Mark.Kind.LOST, peer + " is unreachable" + because(event));
      case "reachable" -> add(event, Mark.Kind.BACK, peer + " answers again" + because(event));
      case "stale" -> add(event, Mark.Kind.LOST, peer + " is another process" + because(event));
      default -> {
        // That it was met, or dropped to make room, is no fault.
      }
    }
  }

  private void add(RecordedEvent event, Mark.Kind kind, String text) {
    if (happened.size() < MOST) {
      happened.add(new Happened(event.getStartTime(), kind, text));
    } else {
      more++;
    }
  }

  private static String because(RecordedEvent event) {
    var cause = event.getString("cause");
    return cause == null || cause.isEmpty() ? "" : ": " + cause;
  }
}
