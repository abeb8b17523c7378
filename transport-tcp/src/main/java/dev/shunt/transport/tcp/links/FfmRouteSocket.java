package dev.shunt.transport.tcp.links;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;

/** The kernel's, by the C library. */
@SuppressWarnings("restricted")
final class FfmRouteSocket implements RouteSocket {
  private static final int FAMILY = 16;
  private static final int RAW_CLOSED_ON_EXEC = 3 | 0x80000;
  private static final int GROUPS = 1 | 0x10 | 0x100;
  private static final int EVENT_FLAGS = 0x80000 | 0x800;
  private static final int AT_ONCE_WHOLE_LENGTH = 0x40 | 0x20;

  private static final int SOCKADDR_SIZE = 12;
  private static final long SOCKADDR_PORT = 4;
  private static final long SOCKADDR_GROUPS = 8;
  private static final long POLLFD_SIZE = 8;
  private static final long POLLFD_EVENTS = 4;
  private static final long POLLFD_HAPPENED = 6;
  private static final short READABLE = 1;

  private static final int INTERRUPTED = 4;
  private static final int AGAIN = 11;
  private static final int NO_BUFFERS = 105;

  private final Library library;
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment errno;
  private final MemorySegment sender = arena.allocate(SOCKADDR_SIZE, 4);
  private final MemorySegment senderSize = arena.allocate(JAVA_INT);
  private final MemorySegment polled = arena.allocate(2 * POLLFD_SIZE, 4);
  private final int socket;
  private final int event;
  private MemorySegment buffer = MemorySegment.NULL;
  private boolean closed;

  private FfmRouteSocket(Library library) {
    this.library = library;
    this.errno = arena.allocate(Library.STATE);
    socket =
        call(
            "socket", () -> (int) library.socket.invokeExact(errno, FAMILY, RAW_CLOSED_ON_EXEC, 0));
    try {
      var address = arena.allocate(SOCKADDR_SIZE, 4);
      address.set(JAVA_SHORT, 0, (short) FAMILY);
      address.set(JAVA_INT, SOCKADDR_GROUPS, GROUPS);
      call("bind", () -> (int) library.bind.invokeExact(errno, socket, address, SOCKADDR_SIZE));
      event = call("eventfd", () -> (int) library.eventfd.invokeExact(errno, 0, EVENT_FLAGS));
    } catch (LinkException e) {
      closeFile(socket);
      throw e;
    }
    watch(0, socket);
    watch(1, event);
  }

  /**
   * Opens one.
   *
   * @throws LinkException with the reason and the remedy
   */
  static RouteSocket open() {
    if (Library.REASON != null) {
      throw new LinkException(Library.REASON);
    }
    return new FfmRouteSocket(Library.ONE);
  }

  private void watch(int place, int file) {
    polled.set(JAVA_INT, place * POLLFD_SIZE, file);
    polled.set(JAVA_SHORT, place * POLLFD_SIZE + POLLFD_EVENTS, READABLE);
  }

  @Override
  public void send(byte[] message) {
    var copy = arena.allocateFrom(JAVA_BYTE, message);
    call("send", () -> (long) library.send.invokeExact(errno, socket, copy, copy.byteSize(), 0));
  }

  @Override
  public int receive(byte[] into) {
    if (buffer.byteSize() < into.length) {
      buffer = arena.allocate(into.length, 8);
    }
    senderSize.set(JAVA_INT, 0, SOCKADDR_SIZE);
    long length =
        invoke(
            () ->
                (long)
                    library.recvfrom.invokeExact(
                        errno,
                        socket,
                        buffer,
                        (long) into.length,
                        AT_ONCE_WHOLE_LENGTH,
                        sender,
                        senderSize));
    if (length < 0) {
      return switch (errno()) {
        case AGAIN, INTERRUPTED -> NOTHING;
        case NO_BUFFERS -> DROPPED;
        default -> throw failed("recvfrom");
      };
    }
    if (sender.get(JAVA_INT, SOCKADDR_PORT) != 0) {
      // Any process may send to us; only the kernel has port 0.
      return 0;
    }
    MemorySegment.copy(buffer, JAVA_BYTE, 0, into, 0, (int) Math.min(length, into.length));
    return (int) Math.min(length, Integer.MAX_VALUE);
  }

  @Override
  public boolean await(long nanos) {
    int millis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, (nanos + 999_999) / 1_000_000));
    int ready = (int) invoke(() -> (int) library.poll.invokeExact(errno, polled, 2L, millis));
    if (ready < 0 && errno() != INTERRUPTED) {
      throw failed("poll");
    }
    boolean woken = polled.get(JAVA_SHORT, POLLFD_SIZE + POLLFD_HAPPENED) != 0;
    return ready != 0 && !woken;
  }

  /** Not on a file that is closed: its number may be another's by now. */
  @Override
  public synchronized void wake() {
    if (!closed) {
      try (var own = Arena.ofConfined()) {
        var state = own.allocate(Library.STATE);
        var one = own.allocateFrom(JAVA_LONG, 1);
        invoke(() -> (long) library.write.invokeExact(state, event, one, one.byteSize()));
      }
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      closeFile(socket);
      closeFile(event);
    }
  }

  private void closeFile(int file) {
    invoke(() -> (int) library.close.invokeExact(file));
  }

  private int call(String function, Call call) {
    long result = invoke(call);
    if (result < 0) {
      throw failed(function);
    }
    return (int) result;
  }

  private LinkException failed(String function) {
    return new LinkException(
        function + " on a netlink socket of routes failed with error " + errno());
  }

  private int errno() {
    return errno.get(JAVA_INT, Library.ERRNO);
  }

  private static long invoke(Call call) {
    try {
      return call.go();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a call that throws nothing threw", e);
    }
  }

  private interface Call {
    long go() throws Throwable;
  }

  /** Linked on first use; with a reason where it cannot be. */
  private static final class Library {
    static final StructLayout STATE = Linker.Option.captureStateLayout();
    static final long ERRNO = STATE.byteOffset(PathElement.groupElement("errno"));
    static final Library ONE;
    static final String REASON;

    static {
      Library one = null;
      String reason = null;
      try {
        if (System.getProperty("os.name").equals("Linux")) {
          one = new Library();
        } else {
          reason = "only Linux has netlink sockets";
        }
      } catch (IllegalCallerException e) {
        reason =
            "native access is denied to this module; start Java with"
                + " --enable-native-access=dev.shunt.transport.tcp";
      } catch (NoSuchElementException | UnsupportedOperationException e) {
        reason = "the C library cannot be called: " + e.getMessage();
      }
      ONE = one;
      REASON = reason;
    }

    final MethodHandle socket =
        handle("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    final MethodHandle bind =
        handle("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    final MethodHandle eventfd =
        handle("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    final MethodHandle send =
        handle("send", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    final MethodHandle recvfrom =
        handle(
            "recvfrom",
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS));
    final MethodHandle poll =
        handle("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    final MethodHandle write =
        handle("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    final MethodHandle close =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("close"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private static MethodHandle handle(String name, FunctionDescriptor shape) {
      var linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow(name), shape, Linker.Option.captureCallState("errno"));
    }
  }
}
