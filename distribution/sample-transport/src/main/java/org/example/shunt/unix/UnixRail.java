package org.example.shunt.unix;

import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RemoteRail;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A directory with our socket in it.
 *
 * @param name the directory
 * @param socket where we listen
 * @param server what listens
 */
record UnixRail(String name, int index, Path socket, ServerSocketChannel server) implements Rail {
  private static final String PATH = "path";
  private static final String MACHINE = "machine";

  /** An address of a socket has no room for more. */
  static final int LONGEST = 100;

  private static final String HERE = machine();

  @Override
  public Map<String, String> attributes() {
    return Map.of(PATH, socket.toString(), MACHINE, HERE);
  }

  /** Where a remote's rail listens; empty if that is on another machine, or makes no sense. */
  static Optional<Path> reach(RemoteRail rail) {
    var path = rail.attributes().getOrDefault(PATH, "");
    return HERE.equals(rail.attributes().get(MACHINE))
            && !path.isEmpty()
            && path.length() <= LONGEST
            && path.indexOf('\0') < 0
        ? Optional.of(Path.of(path))
        : Optional.empty();
  }

  /** A name for this machine until it is started again. */
  private static String machine() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return "unknown: " + System.getProperty("os.name");
    }
  }
}
