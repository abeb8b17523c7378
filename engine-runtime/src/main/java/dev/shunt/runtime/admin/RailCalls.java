package dev.shunt.runtime.admin;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Signal;
import dev.shunt.api.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * The one thing that can be changed over HTTP: whether a rail is used. Each request has to show the
 * token, which stands in a header that no page of the web can make a browser send here.
 */
record RailCalls(AdminSource source) {
  /** A drain takes no longer than the steward does. */
  private static final Duration SOON = Duration.ofSeconds(4);

  /** A check has its own deadline, which is that of a connection and a little more. */
  private static final Duration CHECK = Duration.ofMinutes(2);

  private static final String PREFIX = "/rails/";
  private static final String DRAIN = "/drain";
  private static final String RESTORE = "/restore";

  /** One order; the name of a rail may hold slashes. */
  private record Order(String transport, String rail, boolean restore) {}

  /** Whether a path is one of those that can be changed. */
  static boolean handles(String path) {
    return order(path).isPresent();
  }

  private static Optional<Order> order(String path) {
    var restore = path.endsWith(RESTORE);
    if (!path.startsWith(PREFIX) || !(restore || path.endsWith(DRAIN))) {
      return Optional.empty();
    }
    var end = path.length() - (restore ? RESTORE : DRAIN).length();
    int slash = path.indexOf('/', PREFIX.length());
    return slash <= PREFIX.length() || slash + 1 >= end
        ? Optional.empty()
        : Optional.of(
            new Order(
                path.substring(PREFIX.length(), slash), path.substring(slash + 1, end), restore));
  }

  /** Does what a path says; it is one that {@link #handles}. */
  void answer(String path, Visit visit) throws IOException {
    var order = order(path).orElseThrow();
    try {
      var patience = order.restore ? CHECK : SOON;
      if (order.restore) {
        visit.stay(CHECK.plusSeconds(1).toNanos());
      }
      var rail = begin(order).await(patience);
      visit.send(200, "application/json", "", StatusJson.rail(order.transport, rail));
    } catch (ShuntException refused) {
      visit.send(code(refused.code()), "text/plain; charset=utf-8", "", line(refused.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      visit.send(503, "text/plain; charset=utf-8", "", line("the node is closing"));
    }
  }

  private Signal<Status.RailStatus> begin(Order order) {
    return order.restore
        ? source.restoreRail(order.transport, order.rail)
        : source.drainRail(order.transport, order.rail);
  }

  private static int code(FailureCode code) {
    return switch (code) {
      case REJECTED -> 404;
      case CLOSED, DEADLINE -> 503;
      default -> 500;
    };
  }

  private static byte[] line(String text) {
    return (text + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
