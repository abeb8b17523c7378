package dev.shunt.cli;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory that a command was told to take, and what to say where there is not as much. */
final class Memory {
  private static final long PAGE = 4096;

  private Memory() {}

  /**
   * Allocates.
   *
   * @param option what asked for it
   * @throws ShuntException with RESOURCE where there is not as much
   */
  static MemorySegment allocate(Arena arena, long bytes, String option) {
    try {
      return arena.allocate(bytes, PAGE);
    } catch (ShuntException e) {
      throw e.code() == FailureCode.RESOURCE ? none(bytes, option, e) : e;
    } catch (OutOfMemoryError e) {
      throw none(bytes, option, e);
    }
  }

  private static ShuntException none(long bytes, String option, Throwable cause) {
    return new ShuntException(
        FailureCode.RESOURCE,
        "no memory of "
            + Units.bytes(bytes)
            + "; give a smaller "
            + option
            + Machine.availableMemory().map(m -> ", " + m + " is available here").orElse(""),
        cause);
  }

  /** What to throw where the heap was not enough for what was asked. */
  static ShuntException heap(OutOfMemoryError thrown) {
    return new ShuntException(
        FailureCode.RESOURCE,
        "out of memory: "
            + thrown.getMessage()
            + "; the heap holds "
            + Units.bytes(Runtime.getRuntime().maxMemory())
            + " at most; ask for fewer requests at a time, or give the JVM more by"
            + " JDK_JAVA_OPTIONS=-Xmx and a size",
        thrown);
  }
}
