package dev.shunt.runtime.plain;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.WireServer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A TENT server as far as its peers can tell, with one buffer of memory, on whatever streams it is
 * given: real ones in a thread, or those of a simulated world. It misbehaves as it is told.
 * Everything happens on the thread that calls {@link #work}.
 */
public final class SoftTent implements WireServer.Handler {
  /** Ids of functions. */
  public static final int DESCRIBE = 1;

  /** A write. */
  public static final int SEND = 3;

  /** A read. */
  public static final int RECV = 4;

  /** A notification. */
  public static final int NOTIFY = 5;

  /** What a server says of a range that it does not have: 56 bytes either way. */
  static final String NO_REASON = "Data failed: of no reason at all";

  /**
   * Whether a refusal may be as long as what was asked for, time and again: then nobody can tell.
   */
  boolean undecidable;

  static final String NOT_THERE = "Data failed: target address not in registered buffer";

  private final WireLoop loop;
  private final MemorySegment memory;
  private final long base;
  private final List<Mischief> mischief = new ArrayList<>();
  private final List<Integer> asked = new ArrayList<>();
  private final List<String> notified = new ArrayList<>();
  private final List<SoftConnection> connections = new ArrayList<>();
  private Applied hook = (offset, length) -> {};
  private String address = "";
  private String transports = "[7]";
  private String generation = "";
  private boolean lends = true;
  private boolean debug;
  private LongSupplier lateness = () -> 0;
  private final List<Late> late = new ArrayList<>();
  private long accepted;
  private long now;

  private record Late(long at, byte[] attachment, long address, long length) {}

  /** Hears of what is written. */
  public interface Applied {
    /** A write was applied. */
    void applied(long offset, long length);
  }

  /** What can go wrong with an answer. */
  public enum Ill {
    /** A text of refusal in its place. */
    REFUSED,
    /** The connection ends before the request is served. */
    CLOSED,
    /** The request is served, and the connection ends instead of the answer. */
    SERVED_THEN_CLOSED,
    /** Half of the answer's head, then the end. */
    HALF,
    /** Half of the answer's data, then the end. */
    HALF_DATA,
    /** A reset. */
    RESET,
    /** An error of the framing. */
    ERROR,
    /** Another request's number. */
    WRONG_SEQUENCE,
    /** Another first byte. */
    BAD_MAGIC,
    /** Lengths of 4 GiB each. */
    HUGE,
    /** No result. */
    EMPTY_BODY,
    /** Another result. */
    WRONG_BODY,
    /** Data that is shorter than asked. */
    SHORT,
    /** Never an answer; the request is served. */
    SILENT,
    /**
     * The connection ends, and the write is applied a while later, as by a peer that stood still.
     */
    LATE
  }

  /** So many requests of a function are to fare ill. */
  private static final class Mischief {
    final int function;
    final Ill ill;
    int left;

    Mischief(int function, Ill ill, int left) {
      this.function = function;
      this.ill = ill;
      this.left = left;
    }
  }

  /**
   * @param base the address by which peers know the first byte
   */
  public SoftTent(WireLoop loop, MemorySegment memory, long base) {
    this.loop = loop;
    this.memory = memory;
    this.base = base;
  }

  /** Listens; answers where. */
  public InetSocketAddress listen(InetSocketAddress where) {
    var real = loop.listen(where, this).address();
    address = real.getAddress().getHostAddress() + ":" + real.getPort();
    return real;
  }

  /** Its name. */
  public String name() {
    return address;
  }

  /** Serves. */
  public int work(long time) {
    now = time;
    int done = 0;
    for (var one : List.copyOf(late)) {
      if (one.at - time <= 0) {
        late.remove(one);
        send(one.attachment, one.address, one.length);
        done++;
      }
    }
    return done + loop.poll(time);
  }

  /** When it has something to do even if nothing comes. */
  public long nextDeadline() {
    return late.stream().mapToLong(Late::at).min().orElse(Long.MAX_VALUE);
  }

  /** How late a write is that is late, in nanoseconds. */
  public void lateness(LongSupplier nanos) {
    lateness = nanos;
  }

  void later(byte[] attachment, long addressAt, long length) {
    late.add(new Late(now + lateness.getAsLong(), attachment, addressAt, length));
  }

  /** Hears of each write. */
  public void hook(Applied listener) {
    hook = listener;
  }

  /** The next requests of a function fare ill. */
  public void ill(int function, Ill ill, int times) {
    mischief.add(new Mischief(function, ill, times));
  }

  /** All is well from now on. */
  public void heal() {
    mischief.clear();
    lends = true;
  }

  /** Whether it has its buffer registered. */
  public void lends(boolean registered) {
    lends = registered;
  }

  /** Whether it has its buffer registered. */
  public boolean lends() {
    return lends;
  }

  /** Answers in the form of a debug build. */
  public void debugForm() {
    debug = true;
  }

  /** Lists other transports of its buffer. */
  public void transports(String json) {
    transports = json;
  }

  /** Adds something to its descriptor, such as a key of another implementation. */
  public void extraKey(String json) {
    generation = json;
  }

  /** Ends all connections. */
  public void dropAll() {
    List.copyOf(connections).forEach(SoftConnection::abort);
  }

  /** Functions that were asked for, in their order. */
  public List<Integer> asked() {
    return asked;
  }

  /** Notifications. */
  public List<String> notified() {
    return notified;
  }

  /** How many connections came. */
  public long accepted() {
    return accepted;
  }

  /** How many are there. */
  public int connected() {
    return connections.size();
  }

  @Override
  public SoftConnection accepted(Wire wire, long now) {
    accepted++;
    var connection = new SoftConnection(this, wire);
    connections.add(connection);
    return connection;
  }

  void gone(SoftConnection connection) {
    connections.remove(connection);
  }

  /** What is to go wrong with a request; null for nothing. */
  Ill ill(int function) {
    asked.add(function);
    for (var one : mischief) {
      if (one.function == function && one.left > 0) {
        one.left--;
        return one.ill;
      }
    }
    return null;
  }

  boolean debug() {
    return debug;
  }

  /** Serves one request. */
  byte[] serve(int function, byte[] attachment, long addressAt, long length) {
    return switch (function) {
      case DESCRIBE -> descriptor().getBytes(UTF_8);
      case SEND -> send(attachment, addressAt, length);
      case RECV -> recv(addressAt, length);
      case NOTIFY -> {
        notified.add(new String(attachment, UTF_8));
        yield new byte[0];
      }
      default -> new byte[0];
    };
  }

  private boolean has(long addressAt, long length) {
    long offset = addressAt - base;
    return lends && offset >= 0 && length >= 0 && length <= memory.byteSize() - offset;
  }

  private byte[] send(byte[] attachment, long addressAt, long length) {
    if (!has(addressAt, length)) {
      return ("Send" + NOT_THERE).getBytes(UTF_8);
    }
    MemorySegment.copy(
        attachment, 16, memory, ValueLayout.JAVA_BYTE, addressAt - base, (int) length);
    hook.applied(addressAt - base, length);
    return new byte[0];
  }

  private byte[] recv(long addressAt, long length) {
    if (!has(addressAt, length)) {
      return ("Recv" + NOT_THERE).getBytes(UTF_8);
    }
    return memory.asSlice(addressAt - base, length).toArray(ValueLayout.JAVA_BYTE);
  }

  private String descriptor() {
    var buffer =
        "{\"addr\":"
            + base
            + ",\"internal\":false,\"length\":"
            + memory.byteSize()
            + ",\"location\":\"cpu:0\",\"mnnvl_handle\":\"\",\"regions\":[],\"rkey\":[],"
            + "\"shm_path\":\"\",\"transport_attrs\":[],\"transports\":"
            + transports
            + "}";
    return "{\"detail\":{\"buffers\":["
        + (lends ? buffer : "")
        + "],\"device_attrs\":{},\"devices\":[],\"transport_attrs\":[]},\"machine_id\":\"m\","
        + "\"name\":\""
        + address
        + "\",\"rpc_server_addr\":\""
        + address
        + "\","
        + generation
        + "\"type\":\"memory\"}";
  }

  /** A refusal that no description explains. */
  String noReason(long length) {
    return length == NO_REASON.length() && !undecidable ? NO_REASON + "!" : NO_REASON;
  }
}
