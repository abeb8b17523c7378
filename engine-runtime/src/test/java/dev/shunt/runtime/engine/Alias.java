package dev.shunt.runtime.engine;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A range of addresses with far less memory behind it: one small file again and again, and another
 * one at its end. So a range of gigabytes costs a test no more than that file.
 */
@SuppressWarnings("restricted")
final class Alias implements AutoCloseable {
  private static final int READ_WRITE = 3;
  private static final int SHARED = 1;
  private static final int PRIVATE_ANONYMOUS = 0x22;
  private static final int FIXED = 0x10;
  private static final int NO_RESERVE = 0x4000;
  private static final int OPEN_READ_WRITE = 2;
  private static final long PAGE = 4096;

  private final MemorySegment memory;
  private final long reserved;

  /**
   * A range.
   *
   * @param length of the range
   * @param window of the file behind it, a multiple of a page
   */
  Alias(Path directory, long length, long window) throws IOException {
    reserved = (length + window) / window * window + PAGE;
    var base = mmap(0, reserved, PRIVATE_ANONYMOUS | NO_RESERVE, -1);
    for (long at = 0; at < length / window * window; at += window) {
      file(directory.resolve("window"), base + at, window);
    }
    file(directory.resolve("end"), base + length / window * window, window);
    memory = MemorySegment.ofAddress(base).reinterpret(length);
  }

  /** The range, accessible to all threads. */
  MemorySegment memory() {
    return memory;
  }

  private static void file(Path path, long at, long length) throws IOException {
    if (!Files.exists(path)) {
      Files.createFile(path);
      try (var file = new java.io.RandomAccessFile(path.toFile(), "rw")) {
        file.setLength(length);
      }
    }
    var fd = call(OPEN, path);
    try {
      mmap(at, length, SHARED | FIXED, fd);
    } finally {
      close(fd);
    }
  }

  private static long mmap(long at, long length, int flags, int fd) {
    try {
      var got = (long) MMAP.invokeExact(at, length, READ_WRITE, flags, fd, 0L);
      if (got == -1) {
        throw new IllegalStateException("no " + length + " bytes of addresses to be had");
      }
      return got;
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static int call(MethodHandle open, Path path) {
    try (var arena = Arena.ofConfined()) {
      return (int) open.invokeExact(arena.allocateFrom(path.toString()), OPEN_READ_WRITE);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void close(int fd) {
    try {
      var _ = (int) CLOSE.invokeExact(fd);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      var _ = (int) MUNMAP.invokeExact(memory.address(), reserved);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static final MethodHandle MMAP =
      find(
          "mmap",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG));
  private static final MethodHandle MUNMAP =
      find(
          "munmap",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
  private static final MethodHandle OPEN =
      find(
          "open",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
  private static final MethodHandle CLOSE =
      find("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private static MethodHandle find(String name, FunctionDescriptor type) {
    var linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }
}
