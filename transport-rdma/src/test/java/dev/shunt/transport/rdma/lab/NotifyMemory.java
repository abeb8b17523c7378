package dev.shunt.transport.rdma.lab;

import dev.shunt.api.Access;
import dev.shunt.transport.rdma.testing.TestFrame;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What the kernel holds for a connection between two nodes that take notifications: after a write,
 * when none was sent yet, and after the first one. Arguments: two devices. Fails if anything is
 * there before it is needed.
 */
public final class NotifyMemory {
  private static final int SIZE = 64 << 10;
  private static final Pattern LENGTH = Pattern.compile(" mrlen (\\d+)");

  private NotifyMemory() {}

  private record Held(int qps, int regions, long bytes) {
    static Held by(String device) {
      var regions = lines("mr", "dev " + device + " ");
      long bytes = 0;
      for (var region : regions) {
        var length = LENGTH.matcher(region);
        bytes += length.find() ? Long.parseLong(length.group(1)) : 0;
      }
      int qps = 0;
      for (var qp : lines("qp", "link " + device + "/")) {
        qps += qp.contains(" type RC ") ? 1 : 0;
      }
      return new Held(qps, regions.size(), bytes);
    }

    private static List<String> lines(String what, String start) {
      try {
        var process =
            new ProcessBuilder("rdma", "resource", "show", what)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return text.lines().filter(line -> line.startsWith(start)).toList();
      } catch (IOException e) {
        throw new IllegalStateException("rdma resource show " + what, e);
      }
    }

    Held less(Held other) {
      return new Held(qps - other.qps, regions - other.regions, bytes - other.bytes);
    }

    @Override
    public String toString() {
      return "%s, %s, %s"
          .formatted(count(qps, "QP"), count(regions, "region"), count(bytes, "byte"));
    }

    private static String count(long number, String what) {
      return number + " " + what + (number == 1 ? "" : "s");
    }
  }

  /** Runs it. */
  public static void main(String[] devices) {
    var pair = new LabPair(LabMain.settings(devices[0]), LabMain.settings(devices[1]));
    try (var arena = Arena.ofShared()) {
      pair.a.notifying(0);
      pair.b.notifying(0);
      var from = pair.a.register(arena.allocate(SIZE, 4096), Access.LOCAL);
      var to = pair.b.register(arena.allocate(SIZE, 4096), Access.REMOTE_READ_WRITE);
      var before = new Held[] {Held.by(devices[0]), Held.by(devices[1])};
      var link = pair.connect();
      var written = pair.a.post(link, true, from, to, 0, SIZE);
      pair.until("a write", () -> pair.a.reports.containsKey(written));
      var connected = new Held[] {Held.by(devices[0]), Held.by(devices[1])};
      notify(pair);
      for (int i = 0; i < 2; i++) {
        var connection = connected[i].less(before[i]);
        System.out.printf(
            "memory: a connection of two nodes that take notifications has %s on the %s side, and"
                + " the first notification adds %s%n",
            connection, i == 0 ? "sending" : "receiving", Held.by(devices[i]).less(connected[i]));
        if (connection.bytes > 0) {
          throw new AssertionError("there is memory for notifications, and none was sent");
        }
      }
      pair.close();
    }
    System.exit(0);
  }

  private static void notify(LabPair pair) {
    var heard = pair.a.notifications;
    var link = pair.a.openPort(pair.b, 0, 0, LabPair.LIMIT);
    pair.until("the port", () -> heard.ports.containsKey(link) || heard.refusals.containsKey(link));
    if (heard.refusals.containsKey(link)) {
      throw new AssertionError("refused: " + heard.refusals.get(link));
    }
    long now = System.nanoTime();
    heard.ports.get(link).post(new TestFrame("the first", now + LabPair.LIMIT), now);
    pair.until("its arrival", () -> pair.b.notifications.arrived.contains("the first"));
  }
}
