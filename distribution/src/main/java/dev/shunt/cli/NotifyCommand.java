package dev.shunt.cli;

import dev.shunt.api.Delivery;
import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Notification;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shunt notify}. */
@Command(
    name = "notify",
    header = "Sends a notification to a node, and tells what came of it.",
    description = {
      "The node prints it where it runs 'shunt serve'. Delivered, with exit code 0, says that it was"
          + " taken. UNKNOWN_DELIVERY says that it may have arrived, or may still: it is not sent a"
          + " second time to a node that could not tell a copy.",
      "",
      "JSON: an object with 'outcome' (DELIVERED, NOT_DELIVERED or UNKNOWN), 'peer', 'name',"
          + " 'milliseconds' and, unless delivered, 'failure' with 'code' and 'message'."
    },
    footer = {
      "%nExamples:",
      "  shunt notify 10.0.0.2:15000 cache.ready block-17",
      "  shunt notify node7 reload now --config cluster.conf --timeout 2s"
    })
final class NotifyCommand extends EngineCommand {
  /** The node that the file is for may run on this machine, and has its ports. */
  static final List<String> ANY_PORT =
      List.of("control.port=0", "admin.enable=false", "recorder.enable=false");

  @Parameters(index = "0", paramLabel = "PEER", description = "The node, its address under p2p.")
  private String peer;

  @Parameters(index = "1", paramLabel = "NAME", description = "What the notification is called.")
  private String name;

  @Parameters(index = "2", paramLabel = "MESSAGE", description = "What it says.")
  private String message;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description =
          "How long all of it may take. Default: rpc.request-timeout and rpc.notify-timeout.")
  private Optional<Duration> timeout = Optional.empty();

  @Override
  Integer execute() throws InterruptedException {
    quiet();
    tellsOfSilentPeers();
    var notification = notification();
    var settings = settings(ANY_PORT);
    var deadline = Deadline.in(timeout.orElseGet(settings::requestTimeout), "--timeout");
    try (var engine = settings.open()) {
      long start = System.nanoTime();
      var segment = open(engine, settings, peer, deadline.left("finding " + peer));
      Duration left = deadline.left("finding " + peer);
      var delivery = engine.send(segment, notification, left).await(left.plusSeconds(5));
      return tell(delivery, System.nanoTime() - start);
    }
  }

  private Notification notification() {
    try {
      return new Notification(name, message);
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  private int tell(Delivery delivery, long nanos) {
    return switch (delivery) {
      case Delivery.Delivered _ -> {
        tell("DELIVERED", Optional.empty(), nanos);
        yield ExitCode.OK.number();
      }
      case Delivery.NotDelivered(var failure) -> {
        tell("NOT_DELIVERED", Optional.of(failure), nanos);
        yield ExitCode.of(failure.code()).number();
      }
      case Delivery.Unknown(var failure) -> {
        tell("UNKNOWN", Optional.of(failure), nanos);
        yield ExitCode.FAILED.number();
      }
    };
  }

  private void tell(String outcome, Optional<Failure> failure, long nanos) {
    if (json()) {
      out().println(Json.of(toMap(outcome, failure, nanos)));
    } else if (failure.isEmpty()) {
      out().println("delivered to " + Printable.of(peer) + " in " + Units.nanos(nanos));
    }
    out().flush();
    failure.ifPresent(
        f -> {
          var code = outcome.equals("UNKNOWN") ? FailureCode.UNKNOWN_DELIVERY : f.code();
          Errors.report(err(), "notify", code + ": " + f.describe());
        });
  }

  private Map<String, Object> toMap(String outcome, Optional<Failure> failure, long nanos) {
    var map = new LinkedHashMap<String, Object>();
    map.put("outcome", outcome);
    map.put("peer", peer);
    map.put("name", name);
    map.put("milliseconds", Math.round(nanos / 1e3) / 1e3);
    failure.ifPresent(
        f -> {
          var why = new LinkedHashMap<String, Object>();
          why.put("code", f.code().name());
          why.put("message", f.describe());
          map.put("failure", why);
        });
    return map;
  }
}
