package dev.shunt.transport.rdma.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A libibverbs of {@code src/test/c/fakeverbs.c}, compiled against the installed header. Each one
 * is a library of its own, with options of its own.
 */
@SuppressWarnings("restricted")
public final class FakeLibrary {
  private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");
  private static final Path COMPILER = Path.of("/usr/bin/gcc");
  private static final Path SOURCE = Path.of("src/test/c/fakeverbs.c");

  private final Path file;
  private final SymbolLookup symbols;

  private FakeLibrary(Path file) {
    this.file = file;
    symbols = SymbolLookup.libraryLookup(file, Arena.global());
  }

  /** Compiles and loads one. */
  public static FakeLibrary in(Path directory, String... defines) {
    return new FakeLibrary(compiled(directory, defines));
  }

  /** Compiles one. */
  public static Path compiled(Path directory, String... defines) {
    assumeTrue(Files.exists(HEADER), "needs libibverbs-dev for the header");
    assumeTrue(Files.exists(COMPILER), "needs gcc");
    var library = directory.resolve("libfakeverbs.so");
    var command =
        new ArrayList<>(
            List.of(
                COMPILER.toString(),
                "-O2",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-shared",
                "-fPIC",
                "-fvisibility=hidden",
                "-Wl,-Bsymbolic",
                "-pthread"));
    command.addAll(List.of(defines));
    command.addAll(List.of("-o", library.toString(), SOURCE.toString()));
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      var output = new String(process.getInputStream().readAllBytes());
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the compiler ends");
      assertEquals(0, process.exitValue(), output);
    } catch (java.io.IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    return library;
  }

  /** Where it is. */
  public Path file() {
    return file;
  }

  /** The binding on it. */
  public Verbs verbs() {
    return new FfmVerbs(library());
  }

  FfmLibrary library() {
    return FfmLibrary.open(file.toString());
  }

  /** Says what it is to be like; the C source lists what there is. */
  public FakeLibrary option(String name, long value) {
    try (var arena = Arena.ofConfined()) {
      call(
          "fake_option",
          FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG),
          arena.allocateFrom(name),
          value);
    }
    return this;
  }

  /** What was made with it and is not gone. */
  public long resources() {
    return (long) call("fake_resources", FunctionDescriptor.of(JAVA_LONG));
  }

  /** What a key's memory was registered for; below 0 where there is no such key. */
  public long access(int key) {
    return (long) call("fake_access", FunctionDescriptor.of(JAVA_LONG, JAVA_INT), key);
  }

  /** Nanoseconds that C takes for rounds of the bare data path. */
  long bareMeasure(long rounds, int together) {
    return (long)
        call(
            "bare_measure",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT),
            rounds,
            together);
  }

  /** What a function without arguments points to. */
  MemorySegment pointer(String function, long size) {
    var pointer = (MemorySegment) call(function, FunctionDescriptor.of(ADDRESS));
    return pointer.reinterpret(size);
  }

  private Object call(String function, FunctionDescriptor shape, Object... arguments) {
    try {
      return Linker.nativeLinker()
          .downcallHandle(symbols.findOrThrow(function), shape)
          .invokeWithArguments(arguments);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }
}
