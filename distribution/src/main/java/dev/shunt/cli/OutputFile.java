package dev.shunt.cli;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Where a command was told to put what it makes. A regular file comes whole or not at all, and what
 * was there stays until then; links are followed; terminals, pipes and the like are written to, and
 * everything else is left as it is.
 */
final class OutputFile {
  private static final int MOST_LINKS = 40;
  private static final int TYPE = 0170000;
  private static final int CHARACTER_DEVICE = 0020000;
  private static final int PIPE = 0010000;
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rw-------");

  private final String option;
  private final Path given;
  private final boolean ownerOnly;

  /**
   * A file that an option names.
   *
   * @param ownerOnly whether nobody but its owner may read it
   */
  OutputFile(String option, Path given, boolean ownerOnly) {
    this.option = option;
    this.given = given;
    this.ownerOnly = ownerOnly;
  }

  /** Writes what the file is to hold; gives how many bytes that were. */
  interface Filler {
    long fill(OutputStream out) throws IOException;
  }

  private sealed interface Place {
    /** Standard output, or standard error, of this process. */
    record Own(FileDescriptor descriptor) implements Place {}

    /** Written to as it is. */
    record Stream(Path path) implements Place {}

    /** Replaced by a whole file, or made. */
    record Regular(Path path) implements Place {}
  }

  /**
   * Looks whether it can be written, before what goes into it is made.
   *
   * @throws ShuntException with RESOURCE if not
   */
  void check() {
    try {
      place();
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /**
   * Writes it whole, or leaves what was there.
   *
   * @throws ShuntException with RESOURCE if it cannot be written; and what the filler throws
   */
  long write(Filler filler) {
    try {
      return switch (place()) {
        case Place.Own(var descriptor) -> fill(new Left(descriptor), filler);
        case Place.Stream(var path) -> fill(Files.newOutputStream(path, streaming()), filler);
        case Place.Regular(var path) -> replace(path, filler);
      };
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Behind what is there: what a process has open, such as /dev/stdout, may be a file. */
  private static StandardOpenOption streaming() {
    return StandardOpenOption.APPEND;
  }

  private long replace(Path path, Filler filler) throws IOException {
    // Beside its place, since only within a file system one takes the other's place at once. The
    // name is one that nobody can have taken before, and short however long the other is.
    var random = Long.toHexString(ThreadLocalRandom.current().nextLong());
    var part = path.resolveSibling(".shunt-" + random + ".part");
    try (var _ = Parts.remember(part)) {
      Files.createFile(part, rights());
      if (!ownerOnly && Files.exists(path)) {
        Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(path));
      }
      long bytes = fill(Files.newOutputStream(part, StandardOpenOption.WRITE), filler);
      Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return bytes;
    }
  }

  private FileAttribute<?>[] rights() {
    return ownerOnly
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
        : new FileAttribute<?>[0];
  }

  private static long fill(OutputStream to, Filler filler) throws IOException {
    try (var out = new Told(to)) {
      return filler.fill(out);
    } catch (java.io.UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private Place place() throws IOException {
    var path = given.toAbsolutePath();
    int links = 0;
    while (Files.isSymbolicLink(path)) {
      if (path.startsWith("/proc")) {
        // What a process has open: it is opened, and not replaced under it.
        return open(path);
      }
      if (++links > MOST_LINKS) {
        throw new FileSystemLoopException(path.toString());
      }
      path = path.resolveSibling(Files.readSymbolicLink(path));
    }
    if (Files.isDirectory(path)) {
      throw new IOException("it is a directory");
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      return stream(path);
    }
    var folder = path.getParent();
    if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new IOException(folder + " is no folder that one may write to");
    }
    if (Files.exists(path) && !Files.isWritable(path)) {
      throw new IOException("it is there, and may not be written");
    }
    return new Place.Regular(path);
  }

  /**
   * Standard output may be a file. Opened once more it would have a place of its own to write at,
   * and what is printed besides would go over what is written.
   */
  private static Place open(Path path) {
    boolean ours =
        path.startsWith("/proc/self/fd")
            || path.startsWith("/proc/" + ProcessHandle.current().pid() + "/fd");
    return switch (ours ? path.getFileName().toString() : "") {
      case "1" -> new Place.Own(FileDescriptor.out);
      case "2" -> new Place.Own(FileDescriptor.err);
      default -> new Place.Stream(path);
    };
  }

  /** Left open, since others write to it. */
  private static final class Left extends FilterOutputStream {
    Left(FileDescriptor descriptor) {
      super(new FileOutputStream(descriptor));
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      out.write(bytes, from, count);
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }

  private static Place stream(Path path) throws IOException {
    int type = (int) Files.getAttribute(path, "unix:mode") & TYPE;
    if (type != CHARACTER_DEVICE && type != PIPE) {
      throw new IOException("it is neither a file nor a pipe nor a terminal");
    }
    return new Place.Stream(path);
  }

  private ShuntException unwritable(IOException e) {
    return new ShuntException(
        FailureCode.RESOURCE,
        option + " " + given + ": cannot be written, because " + Reasons.of(e),
        e);
  }
}
