package dev.shunt.transport.rdma.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * How the functions of the operation table are called. The handles take the function's address
 * first, so one serves every device; they are constants to the compiler, which is what makes a call
 * cost no allocation. No errno: these functions return the error.
 */
@SuppressWarnings("restricted")
final class FfmDataPath {
  /** {@code int post(qp, request, bad)}. */
  static final MethodHandle POST =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  /** {@code int poll(cq, count, completions)}. */
  static final MethodHandle POLL =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));

  private FfmDataPath() {}
}
