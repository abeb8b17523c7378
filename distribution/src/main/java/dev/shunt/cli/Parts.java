package dev.shunt.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Files that are not whole yet: none is left behind, whatever ends the process. Any thread. */
final class Parts {
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("shunt-parts").unstarted(Parts::discard));
  }

  private Parts() {}

  /** Until it is closed, the end of the process removes the file; so does closing it. */
  static Part remember(Path file) {
    OPEN.add(file);
    return new Part(file);
  }

  /** Removes all of them: the process ends. */
  static void discard() {
    OPEN.forEach(Parts::remove);
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      // What keeps it from being deleted kept it from being written, and is told.
    }
  }

  /** One of them. */
  record Part(Path file) implements AutoCloseable {
    @Override
    public void close() {
      remove(file);
      OPEN.remove(file);
    }
  }
}
