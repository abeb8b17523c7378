package dev.shunt.runtime.admin;

import dev.shunt.runtime.json.MalformedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runtime files of this user's nodes on this machine: {@code NAME.GENERATION.json} in a folder
 * that nobody else can look into. A file whose process is gone is ignored, and removed by whoever
 * sees it.
 */
public final class RuntimeFiles {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeFiles.class);
  private static final int MOST_FILES = 4096;
  private static final Set<PosixFilePermission> OWNER_FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNER_FILE =
      PosixFilePermissions.fromString("rw-------");

  private RuntimeFiles() {}

  /** Where this user's nodes may write, the preferred place first. */
  public static List<Path> places() {
    return places(System.getenv());
  }

  static List<Path> places(Map<String, String> environment) {
    var places = new ArrayList<Path>();
    var own = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    if (own.startsWith("/")) {
      places.add(Path.of(own, "shunt"));
    }
    places.add(Path.of("/run/shunt"));
    var user = System.getProperty("user.name").replaceAll("[^A-Za-z0-9._-]", "_");
    places.add(Path.of(System.getProperty("java.io.tmpdir"), "shunt-" + user));
    return places;
  }

  // ---- writing

  /**
   * Writes a node's file.
   *
   * @param wanted the only place to try; empty for the usual ones
   * @return the file, or empty if no place would do, which is logged
   */
  public static Optional<Path> write(Optional<Path> wanted, RuntimeEntry entry) {
    var refusals = new ArrayList<String>();
    for (var place : wanted.map(List::of).orElseGet(RuntimeFiles::places)) {
      try {
        prepare(place);
        clean(place);
        return Optional.of(write(place, entry));
      } catch (IOException | UnsupportedOperationException e) {
        refusals.add(place + ": " + e);
      }
    }
    LOG.warn(
        "nowhere to write the address of this node, so `shunt status` finds it by --admin {} only;"
            + " tried {}",
        entry.admin(),
        String.join("; ", refusals));
    return Optional.empty();
  }

  private static Path write(Path place, RuntimeEntry entry) throws IOException {
    var generation = Long.toHexString(entry.generation());
    var file = place.resolve(fileName(entry.name()) + "." + generation + ".json");
    var fresh = place.resolve("." + generation + "." + entry.pid() + ".new");
    Files.deleteIfExists(fresh);
    Files.createFile(fresh, PosixFilePermissions.asFileAttribute(OWNER_FILE));
    Files.write(fresh, entry.json(), StandardOpenOption.TRUNCATE_EXISTING);
    return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Letters, digits, dot, minus and underscore as they are, the rest by its bytes. */
  static String fileName(String name) {
    var text = new StringBuilder();
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      var plain = c < 128 && (Character.isLetterOrDigit(c) || c == '.' || c == '-' || c == '_');
      if (plain && !(text.isEmpty() && c == '.')) {
        text.append(c);
      } else {
        text.append(String.format("%%%02X", (int) c));
      }
    }
    // File systems take 255 bytes, and the generation comes behind.
    return text.length() <= 200 ? text.toString() : text.substring(0, 200);
  }

  /** A folder that somebody else made, or may look into, is no place for a token. */
  private static void prepare(Path place) throws IOException {
    try {
      Files.createDirectory(place, PosixFilePermissions.asFileAttribute(OWNER_FOLDER));
    } catch (FileAlreadyExistsException _) {
      // Looked at below, like one that was just made.
    }
    var problem = problem(place);
    if (problem.isPresent()) {
      throw new IOException(problem.get());
    }
  }

  private static Optional<String> problem(Path place) throws IOException {
    if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.of("it is no folder");
    }
    var open = EnumSet.copyOf(Files.getPosixFilePermissions(place, LinkOption.NOFOLLOW_LINKS));
    open.removeAll(OWNER_FOLDER);
    if (!open.isEmpty()) {
      return Optional.of("others have rights there: " + PosixFilePermissions.toString(open));
    }
    var owner = Files.getAttribute(place, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    var self = Path.of("/proc/self");
    return Files.exists(self) && !owner.equals(Files.getAttribute(self, "unix:uid"))
        ? Optional.of("it belongs to another user")
        : Optional.empty();
  }

  // ---- reading

  /**
   * The nodes that run, by name.
   *
   * @param wanted the only places to look at; empty for the usual ones
   */
  public static List<RuntimeEntry> running(List<Path> wanted) {
    var found = new LinkedHashSet<RuntimeEntry>();
    for (var place : wanted.isEmpty() ? places() : wanted) {
      try {
        if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS) && problem(place).isEmpty()) {
          found.addAll(clean(place));
        }
      } catch (IOException | UnsupportedOperationException e) {
        LOG.debug("{} cannot be looked at", place, e);
      }
    }
    return found.stream().sorted(java.util.Comparator.comparing(RuntimeEntry::name)).toList();
  }

  /** Removes what dead processes left; gives the rest. */
  private static List<RuntimeEntry> clean(Path place) throws IOException {
    var alive = new ArrayList<RuntimeEntry>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(place, "*.json")) {
      int seen = 0;
      for (var file : files) {
        if (++seen > MOST_FILES) {
          break;
        }
        read(file)
            .ifPresent(
                entry -> {
                  if (entry.alive()) {
                    alive.add(entry);
                  } else {
                    remove(file);
                  }
                });
      }
    }
    return alive;
  }

  private static Optional<RuntimeEntry> read(Path file) {
    try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.of(
          RuntimeEntry.read(file.toString(), in.readNBytes(RuntimeEntry.MOST_BYTES + 1)));
    } catch (IOException | MalformedException e) {
      LOG.debug("{} is not read", file, e);
      return Optional.empty();
    }
  }

  /** Removes a node's file. */
  public static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("{} could not be removed: {}", file, e.toString());
    }
  }
}
