package dev.shunt.transport.rdma.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Control calls into libibverbs, by shape. Slow on purpose: each has memory of its own. */
final class FfmCall {
  private FfmCall() {}

  /** Calls a verb that returns a pointer; its error is a {@link VerbsException}. */
  static MemorySegment pointer(FfmLibrary library, String verb, String on, MemorySegment argument) {
    try (var arena = Arena.ofConfined()) {
      var state = library.errno.allocate(arena);
      var result =
          (MemorySegment)
              library.pointerOfPointer.invokeExact(library.function(verb), state, argument);
      return made(result, library, state, verb, on);
    } catch (Throwable t) {
      throw thrown(t);
    }
  }

  /** Calls a verb with two arguments that returns a pointer. */
  static MemorySegment pointer(
      FfmLibrary library, String verb, String on, MemorySegment first, MemorySegment second) {
    try (var arena = Arena.ofConfined()) {
      var state = library.errno.allocate(arena);
      var result =
          (MemorySegment)
              library.pointerOfTwo.invokeExact(library.function(verb), state, first, second);
      return made(result, library, state, verb, on);
    } catch (Throwable t) {
      throw thrown(t);
    }
  }

  /** Calls a verb that returns 0 or an error number. */
  static int error(FfmLibrary library, String verb, MemorySegment argument) {
    try (var arena = Arena.ofConfined()) {
      var state = library.errno.allocate(arena);
      int result = (int) library.intOfPointer.invokeExact(library.function(verb), state, argument);
      return errorOf(result, library, state);
    } catch (Throwable t) {
      throw thrown(t);
    }
  }

  /** Calls a verb with two arguments that returns 0 or an error number. */
  static int error(FfmLibrary library, String verb, MemorySegment first, MemorySegment second) {
    try (var arena = Arena.ofConfined()) {
      var state = library.errno.allocate(arena);
      int result = (int) library.intOfTwo.invokeExact(library.function(verb), state, first, second);
      return errorOf(result, library, state);
    } catch (Throwable t) {
      throw thrown(t);
    }
  }

  /** Calls a verb that returns nothing. */
  static void call(FfmLibrary library, String verb, MemorySegment argument) {
    try (var arena = Arena.ofConfined()) {
      var state = library.errno.allocate(arena);
      library.voidOfPointer.invokeExact(library.function(verb), state, argument);
    } catch (Throwable t) {
      throw thrown(t);
    }
  }

  /** Makes reading from a file descriptor return at once. */
  static void nonBlocking(FfmLibrary library, int file) {
    final int getFlags = 3;
    final int setFlags = 4;
    final int nonBlocking = 0x800;
    try {
      int flags = (int) library.fcntl.invokeExact(file, getFlags, 0);
      int result = (int) library.fcntl.invokeExact(file, setFlags, flags | nonBlocking);
      if (flags < 0 || result < 0) {
        throw new VerbsException("fcntl of the device's event file", VerbsException.EINVAL);
      }
    } catch (Throwable t) {
      throw thrown(t);
    }
  }

  /** Some verbs return the error, older ones -1 with errno. */
  static int errorOf(int result, FfmLibrary library, MemorySegment state) {
    return result < 0 ? library.errno.of(state) : result;
  }

  static MemorySegment made(
      MemorySegment result, FfmLibrary library, MemorySegment state, String verb, String on) {
    if (result.address() == 0) {
      throw new VerbsException(verb + " on " + on, library.errno.of(state));
    }
    return result;
  }

  /** Whatever a handle throws is either ours or a defect. */
  static RuntimeException thrown(Throwable t) {
    return switch (t) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new IllegalStateException(t);
    };
  }

  /** The int behind a pointer. */
  static int intAt(MemorySegment structure, long offset) {
    return structure.get(JAVA_INT, offset);
  }
}
