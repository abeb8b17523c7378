package dev.shunt.transport.rdma.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The functions of libibverbs. Handles are made for each shape of call, and take the function's
 * address first: linking is what costs time at the start, and many functions share a shape.
 */
@SuppressWarnings("restricted")
final class FfmLibrary {
  static final String NAME = "libibverbs.so.1";

  private static final String[] FUNCTIONS = {
    "ibv_get_device_list",
    "ibv_free_device_list",
    "ibv_get_device_name",
    "ibv_open_device",
    "ibv_close_device",
    "ibv_query_device",
    "ibv_query_port",
    "ibv_query_gid",
    "ibv_alloc_pd",
    "ibv_dealloc_pd",
    "ibv_reg_mr",
    "ibv_dereg_mr",
    "ibv_create_cq",
    "ibv_destroy_cq",
    "ibv_create_qp",
    "ibv_modify_qp",
    "ibv_destroy_qp",
    "ibv_get_async_event",
    "ibv_ack_async_event"
  };

  /** Absent from libraries before rdma-core 32; what is above does without. */
  static final String QUERY_GID_EX = "_ibv_query_gid_ex";

  /** Absent from libraries before rdma-core 28, which know no relaxed ordering. */
  static final String REG_MR_IOVA2 = "ibv_reg_mr_iova2";

  private static final class Holder {
    static final FfmLibrary LIBRARY;
    static final VerbsUnavailableException REASON;

    static {
      FfmLibrary library = null;
      VerbsUnavailableException reason = null;
      try {
        library = open(NAME);
      } catch (VerbsUnavailableException e) {
        reason = e;
      }
      LIBRARY = library;
      REASON = reason;
    }
  }

  private final Map<String, MemorySegment> functions = new LinkedHashMap<>();
  private final Linker linker = Linker.nativeLinker();
  final Errno errno = new Errno();

  /** {@code void f(pointer)}. */
  final MethodHandle voidOfPointer = handle(FunctionDescriptor.ofVoid(ADDRESS));

  /** {@code pointer f(pointer)}. */
  final MethodHandle pointerOfPointer = handle(FunctionDescriptor.of(ADDRESS, ADDRESS));

  /** {@code pointer f(pointer, pointer)}. */
  final MethodHandle pointerOfTwo = handle(FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));

  /** {@code int f(pointer)}. */
  final MethodHandle intOfPointer = handle(FunctionDescriptor.of(JAVA_INT, ADDRESS));

  /** {@code int f(pointer, pointer)}. */
  final MethodHandle intOfTwo = handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));

  /** {@code int f(qp, attributes, mask)}. */
  final MethodHandle modifyQp = handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));

  /** {@code int f(context, port, attributes)}. */
  final MethodHandle queryPort =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_BYTE, ADDRESS));

  /** {@code int f(context, port, index, gid)}. */
  final MethodHandle queryGid =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_BYTE, JAVA_INT, ADDRESS));

  /** {@code int f(context, port, index, entry, flags, size)}. */
  final MethodHandle queryGidEx =
      handle(
          FunctionDescriptor.of(
              JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG));

  /** {@code pointer f(pd, address, length, access)}. */
  final MethodHandle regMr =
      handle(FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT));

  /** {@code pointer f(pd, address, length, iova, access)}. */
  final MethodHandle regMrIova2 =
      handle(FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT));

  /** {@code pointer f(context, entries, cookie, channel, vector)}. */
  final MethodHandle createCq =
      handle(FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));

  /** {@code int fcntl(file, command, ...)}. */
  final MethodHandle fcntl;

  private FfmLibrary(String name) {
    SymbolLookup library;
    try {
      library = SymbolLookup.libraryLookup(name, Arena.global());
    } catch (IllegalArgumentException e) {
      throw new VerbsUnavailableException(
          name
              + " cannot be loaded, most likely since it is not installed; Debian and Ubuntu have it"
              + " in libibverbs1 with ibverbs-providers, Fedora and its kin in libibverbs",
          e);
    }
    for (var function : FUNCTIONS) {
      try {
        functions.put(function, library.findOrThrow(function));
      } catch (NoSuchElementException e) {
        throw new VerbsUnavailableException(
            name
                + " lacks "
                + function
                + ", which that of rdma-core 17 or newer has; install a newer libibverbs1 with its"
                + " ibverbs-providers",
            e);
      }
    }
    for (var function : new String[] {QUERY_GID_EX, REG_MR_IOVA2}) {
      library.find(function).ifPresent(address -> functions.put(function, address));
    }
    fcntl =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("fcntl"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
  }

  /**
   * Links a library.
   *
   * @param name as the system's loader takes it
   * @throws VerbsUnavailableException with reason and remedy, if it cannot be had
   */
  static FfmLibrary open(String name) {
    if (!System.getProperty("os.name").equals("Linux")
        || ADDRESS.byteSize() != Long.BYTES
        || ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new VerbsUnavailableException(
          "verbs are called on Linux with 64 bits, lowest byte first; this is "
              + System.getProperty("os.name")
              + " on "
              + System.getProperty("os.arch"),
          null);
    }
    try {
      return new FfmLibrary(name);
    } catch (IllegalCallerException e) {
      throw new VerbsUnavailableException(
          "native access is denied to this module; start Java with"
              + " --enable-native-access=dev.shunt.transport.rdma",
          e);
    }
  }

  /**
   * The library, linked on first use.
   *
   * @throws VerbsUnavailableException each time, if it cannot be had
   */
  static FfmLibrary get() {
    if (Holder.REASON != null) {
      throw new VerbsUnavailableException(Holder.REASON.getMessage(), Holder.REASON);
    }
    return Holder.LIBRARY;
  }

  /** Whether it has a function that may be absent. */
  boolean has(String optional) {
    return functions.containsKey(optional);
  }

  /** A function's address; NULL where it is optional and absent. */
  MemorySegment function(String name) {
    return functions.getOrDefault(name, MemorySegment.NULL);
  }

  private MethodHandle handle(FunctionDescriptor shape) {
    return linker.downcallHandle(shape, Linker.Option.captureCallState("errno"));
  }

  /** Where a call leaves its error number. */
  @SuppressWarnings("restricted")
  static final class Errno {
    private static final java.lang.foreign.StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long OFFSET =
        LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    /** Room for one call. */
    MemorySegment allocate(Arena arena) {
      return arena.allocate(LAYOUT);
    }

    /** What the call left. */
    int of(MemorySegment state) {
      return state.get(JAVA_INT, OFFSET);
    }
  }
}
