package dev.shunt.transport.nof;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Heap bytes that this thread has allocated; by reflection, as the module reads no management. */
final class Heap {
  private static final MethodHandle BYTES = find();

  private Heap() {}

  static long allocated() {
    try {
      return (long) BYTES.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException("the JVM does not count allocated bytes", e);
    }
  }

  private static MethodHandle find() {
    try {
      var factory = Class.forName("java.lang.management.ManagementFactory");
      var bean = factory.getMethod("getThreadMXBean").invoke(null);
      return MethodHandles.publicLookup()
          .findVirtual(
              Class.forName("com.sun.management.ThreadMXBean"),
              "getCurrentThreadAllocatedBytes",
              MethodType.methodType(long.class))
          .bindTo(bean);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the JVM does not count allocated bytes", e);
    }
  }
}
