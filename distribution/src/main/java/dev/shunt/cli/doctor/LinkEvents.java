package dev.shunt.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** How a node hears that a rail lost its link, or its address. */
final class LinkEvents {
  private static final String CHECK = "link events";

  /** In the file's terms: links, and addresses of both families. */
  private static final String GROUPS = "00000111";

  private static final String ROUTES = "0";
  private static final int COLUMNS = 10;

  private final Kernel kernel;

  LinkEvents(Kernel kernel) {
    this.kernel = kernel;
  }

  /**
   * Looks whether this process, in which the transport runs, has asked the kernel.
   *
   * @param wanted what {@code transports.tcp.link-events} says
   * @param interval milliseconds of {@code transports.tcp.link-poll-interval}
   * @param patience milliseconds that the transport may take for it
   */
  Finding finding(String wanted, long interval, long patience) throws InterruptedException {
    var polled = "links are looked at every " + interval + " ms";
    switch (wanted) {
      case "off" -> {
        return Finding.warn(
            CHECK,
            "nobody looks: a link that goes down is noticed by the transfers that it breaks",
            "transports.tcp.link-events = kernel");
      }
      case "poll" -> {
        return Finding.warn(
            CHECK, polled, "the kernel tells at once: transports.tcp.link-events = kernel");
      }
      default -> {
        return asked(patience)
            ? Finding.ok(CHECK, "the kernel tells of links and addresses")
            : Finding.warn(
                CHECK,
                polled + ": the kernel could not be asked to tell",
                "start Java with --enable-native-access=dev.shunt.transport.tcp, as the image does,"
                    + " and let the process have netlink sockets (AF_NETLINK in"
                    + " RestrictAddressFamilies and the like)");
      }
    }
  }

  private boolean asked(long patience) throws InterruptedException {
    long end = System.nanoTime() + patience * 1_000_000;
    while (!asks()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      Thread.sleep(10);
    }
    return true;
  }

  private boolean asks() {
    var sockets = sockets();
    return kernel.text("proc/self/net/netlink").stream()
        .flatMap(String::lines)
        .map(line -> line.strip().split("\\s+"))
        .filter(columns -> columns.length >= COLUMNS)
        .anyMatch(
            columns ->
                columns[1].equals(ROUTES)
                    && columns[3].equals(GROUPS)
                    && sockets.contains("socket:[" + columns[COLUMNS - 1] + "]"));
  }

  /** What the files of this process are, as far as they can be read. */
  private Set<String> sockets() {
    var found = new TreeSet<String>();
    try (var files = Files.list(kernel.path("proc/self/fd"))) {
      files.map(LinkEvents::target).flatMap(Optional::stream).forEach(found::add);
    } catch (IOException _) {
      return found;
    }
    return found;
  }

  private static Optional<String> target(Path file) {
    try {
      return Optional.of(Files.readSymbolicLink(file).toString());
    } catch (IOException | UnsupportedOperationException _) {
      // Closed meanwhile.
      return Optional.empty();
    }
  }
}
