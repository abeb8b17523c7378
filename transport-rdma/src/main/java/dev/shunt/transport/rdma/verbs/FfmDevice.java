package dev.shunt.transport.rdma.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** An {@code ibv_context} with an {@code ibv_pd}. */
@SuppressWarnings("restricted")
final class FfmDevice implements VerbsDevice {
  private static final Path SYSTEM = Path.of("/sys/class/infiniband");
  private static final int EAGAIN = 11;
  private static final int EINTR = 4;

  private final FfmLibrary library;
  private final String name;
  private final MemorySegment context;
  private final MemorySegment pd;
  private boolean freed;
  private boolean closed;
  private final MemorySegment event = Arena.ofAuto().allocate(Layouts.ASYNC_EVENT_SIZE, 8);

  private FfmDevice(FfmLibrary library, String name, MemorySegment context, MemorySegment pd) {
    this.library = library;
    this.name = name;
    this.context = context;
    this.pd = pd;
  }

  static FfmDevice of(FfmLibrary library, String name, MemorySegment opened) {
    var context = opened.reinterpret(Layouts.CONTEXT_SIZE);
    try {
      checkOperations(name, context);
      FfmCall.nonBlocking(library, context.get(JAVA_INT, Layouts.CONTEXT_ASYNC_FD));
      var pd = FfmCall.pointer(library, "ibv_alloc_pd", name, context);
      return new FfmDevice(library, name, context, pd);
    } catch (VerbsException e) {
      FfmCall.error(library, "ibv_close_device", context);
      throw e;
    }
  }

  /** What is not where the header has it is not called: that would end the process. */
  private static void checkOperations(String name, MemorySegment context) {
    var code = CodePages.now();
    for (var operation : Operation.values()) {
      long address = context.get(JAVA_LONG, operation.offset);
      if (!code.hold(address)) {
        throw new VerbsException(
            "looking for "
                + operation.verb
                + " in the operation table of "
                + name
                + ", which has "
                + (address == 0 ? "none" : "what is no code")
                + " there: its driver and this libibverbs do not fit what Shunt was made for;"
                + " install both from one release of rdma-core;",
            VerbsException.ENOTSUP);
      }
    }
  }

  /** What is called through the context. */
  private enum Operation {
    POLL_CQ("poll_cq", Layouts.CONTEXT_POLL_CQ),
    POST_SEND("post_send", Layouts.CONTEXT_POST_SEND),
    POST_RECV("post_recv", Layouts.CONTEXT_POST_RECV);

    private final String verb;
    private final long offset;

    Operation(String verb, long offset) {
      this.verb = verb;
      this.offset = offset;
    }
  }

  /** What a library made begins with what it was made of; else it is laid out otherwise. */
  private void checkMade(String verb, MemorySegment made, long offset, MemorySegment of) {
    if (made.get(JAVA_LONG, offset) != of.address()) {
      throw new VerbsException(
          verb
              + " on "
              + name
              + " made something that is laid out otherwise than Shunt knows it; install"
              + " libibverbs and its providers from one release of rdma-core; it",
          VerbsException.ENOTSUP);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public DeviceOrigin origin() {
    return DeviceOrigin.of(SYSTEM, name);
  }

  @Override
  public String rate(int port) {
    return DeviceOrigin.rate(SYSTEM, name, port);
  }

  @Override
  public DeviceInfo info() {
    try (var arena = Arena.ofConfined()) {
      var attr = arena.allocate(Layouts.DEVICE_ATTR_SIZE, 8);
      check("ibv_query_device", FfmCall.error(library, "ibv_query_device", context, attr));
      return new DeviceInfo(
          attr.get(JAVA_BYTE, Layouts.DEVICE_ATTR_PHYS_PORT_CNT) & 0xff,
          attr.get(JAVA_INT, Layouts.DEVICE_ATTR_MAX_QP),
          attr.get(JAVA_INT, Layouts.DEVICE_ATTR_MAX_QP_WR),
          attr.get(JAVA_INT, Layouts.DEVICE_ATTR_MAX_CQE),
          attr.get(JAVA_INT, Layouts.DEVICE_ATTR_MAX_QP_RD_ATOM),
          attr.get(JAVA_INT, Layouts.DEVICE_ATTR_VENDOR_ID));
    }
  }

  @Override
  public PortInfo port(int port) {
    try (var arena = Arena.ofConfined()) {
      var attr = arena.allocate(Layouts.PORT_ATTR_SIZE, 8);
      var state = library.errno.allocate(arena);
      int result =
          (int)
              library.queryPort.invokeExact(
                  library.function("ibv_query_port"), state, context, (byte) port, attr);
      check("ibv_query_port", FfmCall.errorOf(result, library, state));
      return new PortInfo(
          attr.get(JAVA_INT, Layouts.PORT_ATTR_STATE),
          attr.get(JAVA_INT, Layouts.PORT_ATTR_ACTIVE_MTU),
          attr.get(JAVA_INT, Layouts.PORT_ATTR_GID_TBL_LEN),
          Integer.toUnsignedLong(attr.get(JAVA_INT, Layouts.PORT_ATTR_MAX_MSG_SZ)),
          Short.toUnsignedInt(attr.get(JAVA_SHORT, Layouts.PORT_ATTR_LID)),
          attr.get(JAVA_BYTE, Layouts.PORT_ATTR_LINK_LAYER) == Layouts.LINK_LAYER_ETHERNET);
    } catch (Throwable t) {
      throw FfmCall.thrown(t);
    }
  }

  @Override
  public GidEntry gid(int port, int index) {
    try (var arena = Arena.ofConfined()) {
      var entry = arena.allocate(Layouts.GID_ENTRY_SIZE, 8);
      var state = library.errno.allocate(arena);
      var extended = library.function(FfmLibrary.QUERY_GID_EX);
      if (extended.address() == 0) {
        int result =
            (int)
                library.queryGid.invokeExact(
                    library.function("ibv_query_gid"), state, context, (byte) port, index, entry);
        check("ibv_query_gid", FfmCall.errorOf(result, library, state));
        return new GidEntry(index, gid(entry), GidEntry.Type.UNKNOWN, true);
      }
      int result =
          (int)
              library.queryGidEx.invokeExact(
                  extended, state, context, port, index, entry, 0, Layouts.GID_ENTRY_SIZE);
      // An unused entry has no type, and so is an error to this function.
      if (FfmCall.errorOf(result, library, state) != 0) {
        return new GidEntry(index, Gid.ZERO, GidEntry.Type.UNKNOWN, false);
      }
      var type =
          switch (entry.get(JAVA_INT, Layouts.GID_ENTRY_GID_TYPE)) {
            case 0 -> GidEntry.Type.IB;
            case 1 -> GidEntry.Type.ROCE_V1;
            case 2 -> GidEntry.Type.ROCE_V2;
            default -> GidEntry.Type.UNKNOWN;
          };
      int place = entry.get(JAVA_INT, Layouts.GID_ENTRY_NDEV_IFINDEX);
      return new GidEntry(index, gid(entry), type, place != 0, Overlays.isOne(place));
    } catch (Throwable t) {
      throw FfmCall.thrown(t);
    }
  }

  private static Gid gid(MemorySegment raw) {
    var layout = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    return new Gid(raw.get(layout, 0), raw.get(layout, 8));
  }

  @Override
  public VerbsRegion register(MemorySegment memory, int access) {
    boolean optional = (access & Verbs.ACCESS_RELAXED_ORDERING) != 0;
    if (optional && !library.has(FfmLibrary.REG_MR_IOVA2)) {
      throw new VerbsException("relaxed ordering on " + name, VerbsException.ENOTSUP);
    }
    try (var arena = Arena.ofConfined()) {
      var state = library.errno.allocate(arena);
      long length = memory.byteSize();
      MemorySegment result;
      if (optional) {
        result =
            (MemorySegment)
                library.regMrIova2.invokeExact(
                    library.function(FfmLibrary.REG_MR_IOVA2),
                    state,
                    pd,
                    memory,
                    length,
                    memory.address(),
                    access);
      } else {
        result =
            (MemorySegment)
                library.regMr.invokeExact(
                    library.function("ibv_reg_mr"), state, pd, memory, length, access);
      }
      var region = FfmCall.made(result, library, state, "ibv_reg_mr", name);
      var sized = region.reinterpret(Layouts.MR_SIZE);
      checkMade("ibv_reg_mr", sized, Layouts.MR_CONTEXT, context);
      checkMade("ibv_reg_mr", sized, Layouts.MR_ADDR, memory);
      return new FfmRegion(library, sized);
    } catch (Throwable t) {
      throw FfmCall.thrown(t);
    }
  }

  @Override
  public VerbsCq createCq(int depth) {
    try (var arena = Arena.ofConfined()) {
      var state = library.errno.allocate(arena);
      var none = MemorySegment.NULL;
      var result =
          (MemorySegment)
              library.createCq.invokeExact(
                  library.function("ibv_create_cq"), state, context, depth, none, none, 0);
      var cq =
          FfmCall.made(result, library, state, "ibv_create_cq", name).reinterpret(Layouts.CQ_SIZE);
      checkMade("ibv_create_cq", cq, Layouts.CQ_CONTEXT, context);
      return new FfmCq(library, operation(Layouts.CONTEXT_POLL_CQ), cq);
    } catch (Throwable t) {
      throw FfmCall.thrown(t);
    }
  }

  @Override
  public VerbsQp createQp(VerbsCq cq, QpCapacity capacity) {
    var queue = ((FfmCq) cq).pointer();
    try (var arena = Arena.ofConfined()) {
      var attr = arena.allocate(Layouts.QP_INIT_ATTR_SIZE, 8);
      attr.set(ADDRESS, Layouts.QP_INIT_ATTR_SEND_CQ, queue);
      attr.set(ADDRESS, Layouts.QP_INIT_ATTR_RECV_CQ, queue);
      attr.set(JAVA_INT, Layouts.QP_INIT_ATTR_MAX_SEND_WR, capacity.send());
      attr.set(JAVA_INT, Layouts.QP_INIT_ATTR_MAX_RECV_WR, capacity.receive());
      attr.set(JAVA_INT, Layouts.QP_INIT_ATTR_MAX_SEND_SGE, 1);
      attr.set(JAVA_INT, Layouts.QP_INIT_ATTR_MAX_RECV_SGE, 1);
      attr.set(JAVA_INT, Layouts.QP_INIT_ATTR_QP_TYPE, Layouts.QPT_RC);
      var qp =
          FfmCall.pointer(library, "ibv_create_qp", name, pd, attr).reinterpret(Layouts.QP_SIZE);
      checkMade("ibv_create_qp", qp, Layouts.QP_CONTEXT, context);
      checkMade("ibv_create_qp", qp, Layouts.QP_SEND_CQ, queue);
      return new FfmQp(
          library, operation(Layouts.CONTEXT_POST_SEND), operation(Layouts.CONTEXT_POST_RECV), qp);
    }
  }

  /** The data path has no symbols: the header goes through these pointers, too. */
  private MemorySegment operation(long offset) {
    return context.get(ADDRESS, offset);
  }

  @Override
  public boolean polled() {
    return true;
  }

  @Override
  public boolean nextEvent(AsyncEvent into) {
    try (var arena = Arena.ofConfined()) {
      var state = library.errno.allocate(arena);
      int result =
          (int)
              library.intOfTwo.invokeExact(
                  library.function("ibv_get_async_event"), state, context, event);
      if (result != 0) {
        int error = library.errno.of(state);
        if (error != EAGAIN && error != EINTR) {
          throw new VerbsException("ibv_get_async_event on " + name, error);
        }
        return false;
      }
    } catch (Throwable t) {
      throw FfmCall.thrown(t);
    }
    int type = event.get(JAVA_INT, Layouts.ASYNC_EVENT_EVENT_TYPE);
    into.set(type, subject(type));
    FfmCall.call(library, "ibv_ack_async_event", event);
    return true;
  }

  private int subject(int type) {
    return switch (AsyncEvents.subject(type)) {
      case PORT -> event.get(JAVA_INT, Layouts.ASYNC_EVENT_ELEMENT);
      case QP ->
          event
              .get(ADDRESS, Layouts.ASYNC_EVENT_ELEMENT)
              .reinterpret(Layouts.QP_SIZE)
              .get(JAVA_INT, Layouts.QP_QP_NUM);
      case OTHER -> 0;
    };
  }

  /** What is freed already is not freed again: the library would take whatever is there by then. */
  @Override
  public void close() {
    if (!freed) {
      check("ibv_dealloc_pd", FfmCall.error(library, "ibv_dealloc_pd", pd));
      freed = true;
    }
    if (!closed) {
      check("ibv_close_device", FfmCall.error(library, "ibv_close_device", context));
      closed = true;
    }
  }

  private void check(String verb, int error) {
    if (error != 0) {
      throw new VerbsException(verb + " on " + name, error);
    }
  }
}
