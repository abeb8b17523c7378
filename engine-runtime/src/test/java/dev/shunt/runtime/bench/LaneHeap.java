package dev.shunt.runtime.bench;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Heap bytes that the lanes of this process have allocated so far. By reflection, since the module
 * under test does not read the JDK's management modules.
 */
final class LaneHeap {
  private static final MethodHandle BYTES = find();

  private LaneHeap() {}

  /** Bytes. */
  static long bytes() {
    long sum = 0;
    for (var thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().contains("-lane-")) {
        sum += of(thread.threadId());
      }
    }
    return sum;
  }

  /** Those of the calling thread. */
  static long own() {
    return of(Thread.currentThread().threadId());
  }

  private static long of(long thread) {
    try {
      return (long) BYTES.invokeExact(thread);
    } catch (Throwable e) {
      throw new IllegalStateException("the JVM does not count allocated bytes", e);
    }
  }

  private static MethodHandle find() {
    try {
      var bean =
          Class.forName("java.lang.management.ManagementFactory")
              .getMethod("getThreadMXBean")
              .invoke(null);
      return MethodHandles.publicLookup()
          .findVirtual(
              Class.forName("com.sun.management.ThreadMXBean"),
              "getThreadAllocatedBytes",
              MethodType.methodType(long.class, long.class))
          .bindTo(bean);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the JVM does not count allocated bytes", e);
    }
  }
}
