package dev.shunt.cli;

import dev.shunt.api.Drained;
import dev.shunt.api.Engine;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The end of {@code shunt serve}: drains, closes, and tells what was left. */
final class Ending {
  private final Engine engine;
  private final Duration timeout;
  private Drained left = new Drained(0, 0, 0, 0, 0);

  /**
   * @param timeout how long to drain at most
   */
  Ending(Engine engine, Duration timeout) {
    this.engine = engine;
    this.timeout = timeout;
  }

  /** How long it drains at most. */
  Duration timeout() {
    return timeout;
  }

  /** Takes nothing new, and waits for what is under way. */
  void drain() throws InterruptedException {
    left = engine.drain(timeout);
  }

  /** Whether nothing that this node began was cut off. */
  ExitCode code() {
    return left.clean() ? ExitCode.OK : ExitCode.UNFINISHED;
  }

  /** On one line. */
  String describe() {
    var peers =
        left.cutsPeers()
            ? "; peers were still at it: "
                + Units.count(left.inbound(), "request")
                + " of theirs at least cut off"
            : "";
    if (left.clean() && left.uses() == 0) {
      return left.cutsPeers()
          ? "closed; nothing of its own was left" + peers
          : "closed; nothing was left";
    }
    return "closed; left after "
        + Units.nanos(timeout.toNanos())
        + ": "
        + Units.count(left.transfers(), "transfer")
        + " with "
        + Units.bytes(left.bytes())
        + ", "
        + Units.count(left.uses(), "use")
        + " of memory by peers and transfers, "
        + Units.bytes(left.quarantinedBytes())
        + " in quarantine"
        + peers;
  }

  /** For programs. */
  Map<String, Object> toMap(Optional<Stop.Signal> signal) {
    var map = new LinkedHashMap<String, Object>();
    map.put("stopped", true);
    map.put("signal", signal.map(Stop.Signal::name));
    map.put("transfers", left.transfers());
    map.put("bytes", left.bytes());
    map.put("uses", left.uses());
    map.put("quarantined_bytes", left.quarantinedBytes());
    map.put("inbound", left.inbound());
    return map;
  }
}
