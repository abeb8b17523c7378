package dev.shunt.api.contract;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Heap bytes that the current thread has allocated so far. By reflection, since the module under
 * test need not read the JDK's management modules.
 */
public final class Allocated {
  private static final MethodHandle BYTES = find();

  private Allocated() {}

  /** Bytes. */
  public static long bytes() {
    try {
      return (long) BYTES.invokeExact();
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
      var type = Class.forName("com.sun.management.ThreadMXBean");
      return MethodHandles.publicLookup()
          .findVirtual(type, "getCurrentThreadAllocatedBytes", MethodType.methodType(long.class))
          .bindTo(bean);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the JVM does not count allocated bytes", e);
    }
  }
}
