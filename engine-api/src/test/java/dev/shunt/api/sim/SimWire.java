package dev.shunt.api.sim;

import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/** One end of a virtual connection. */
public final class SimWire implements Wire {
  private final SimNetwork network;
  private final SimRail rail;
  private final InetSocketAddress local;
  private final InetSocketAddress remote;
  private final int number;
  private final String name;
  private SimWireLoop loop;
  private WireHandler handler;
  private Connecting attempt;
  private Stream in;
  private Stream out;
  private State state;
  private String cause = "";
  private boolean connectedPending;
  private boolean failedPending;
  private boolean wantsRead = true;
  private boolean wantsWrite;

  SimWire(
      SimNetwork network,
      SimWireLoop loop,
      SimRail rail,
      InetSocketAddress local,
      InetSocketAddress remote,
      State state) {
    this.network = network;
    this.loop = loop;
    this.rail = rail;
    this.local = local;
    this.remote = remote;
    this.state = state;
    number = network.world().number();
    name =
        "wire "
            + number
            + " "
            + local.getAddress().getHostAddress()
            + ":"
            + local.getPort()
            + "-"
            + remote.getAddress().getHostAddress()
            + ":"
            + remote.getPort();
  }

  void attach(Stream inbound, Stream outbound) {
    in = inbound;
    out = outbound;
  }

  void attempt(Connecting connecting) {
    attempt = connecting;
  }

  void handler(WireHandler owner) {
    handler = owner;
  }

  SimRail rail() {
    return rail;
  }

  /** Its number in the trace. */
  public int number() {
    return number;
  }

  /** The way that its bytes go out. */
  public SimPath path() {
    return out.path();
  }

  /** Breaks the connection at both ends, at once. */
  public void cut() {
    network.world().trace().add(network.world().now(), "cut", number, 0);
    if (out != null) {
      out.cut();
    }
  }

  /** Breaks it at this end only: the other end learns of it when it next sends, if at all. */
  public void halfOpen() {
    network.world().trace().add(network.world().now(), "half-open", number, 0);
    if (state == State.OPEN) {
      state = State.BROKEN;
      cause = "connection aborted here";
      network.ended(this);
      out.stop();
      signal();
    }
  }

  @Override
  public long read(MemorySegment into, long offset, long length) {
    alive();
    if (in.available() == 0) {
      if (state == State.BROKEN) {
        throw new WireException(name + ": " + cause);
      }
      return in.atEnd() ? -1 : 0;
    }
    if (length <= 0) {
      return 0;
    }
    long n = in.read(into, offset, length);
    long now = network.world().now();
    network.world().memory().wrote(name, into, offset, n, now);
    network.world().trace().add(now, "read", number, n);
    return n;
  }

  @Override
  public long write(MemorySegment from, long offset, long length) {
    alive();
    if (state == State.BROKEN) {
      throw new WireException(name + ": " + cause);
    }
    if (length <= 0) {
      return 0;
    }
    long n = out.write(from, offset, length);
    network.world().trace().add(network.world().now(), "write", number, n);
    return n;
  }

  private void alive() {
    if (left()) {
      throw new WireException(name + ": closed here");
    }
    if (state == State.CONNECTING || connectedPending) {
      throw new WireException(name + ": not connected yet");
    }
  }

  @Override
  public void interest(boolean read, boolean write) {
    wantsRead = read;
    wantsWrite = write;
    if (ready()) {
      signal();
    }
  }

  @Override
  public InetSocketAddress local() {
    return local;
  }

  @Override
  public InetSocketAddress remote() {
    return remote;
  }

  @Override
  public void close() {
    if (state == State.OPEN && in.available() == 0) {
      leave(State.CLOSED);
      out.finish();
    } else {
      abort();
    }
  }

  @Override
  public void abort() {
    if (left()) {
      return;
    }
    boolean tell = out != null && state != State.BROKEN;
    leave(State.ABANDONED);
    if (tell) {
      out.reset();
    }
  }

  /** A kernel that knows nothing of this connection says so. */
  void sendReset() {
    out.reset();
  }

  /** Its host lost power. */
  void vanish() {
    leave(State.ABANDONED);
  }

  private void leave(State end) {
    state = end;
    if (attempt != null) {
      attempt.end();
    }
    network.ended(this);
    if (loop != null) {
      loop.forget(this);
      loop = null;
    }
    if (in != null) {
      in.free();
    }
  }

  // What the network tells.

  void accepted() {
    if (state == State.CONNECTING) {
      state = State.OPEN;
      attempt.end();
      connectedPending = true;
      network.opened(this);
      signal();
    }
  }

  void connectFailed(String why) {
    if (state == State.CONNECTING) {
      state = State.BROKEN;
      failedPending = true;
      cause = why;
      signal();
    }
  }

  void broke(String why) {
    if (in != null) {
      in.stop();
      out.stop();
    }
    if (state == State.CONNECTING) {
      connectFailed(why);
    } else if (state == State.OPEN) {
      state = State.BROKEN;
      cause = why;
      network.ended(this);
      signal();
    } else if (state != State.BROKEN && in != null) {
      in.free();
    }
  }

  /** Whether this end no longer takes bytes. */
  boolean deaf() {
    return state == State.BROKEN || left();
  }

  /** Whether this end no longer sends again what was lost. */
  boolean abandoned() {
    return state == State.ABANDONED || state == State.BROKEN;
  }

  /** Whether its owner has let go of it. */
  boolean left() {
    return state == State.CLOSED || state == State.ABANDONED;
  }

  boolean connecting() {
    return state == State.CONNECTING;
  }

  void signal() {
    if (loop != null && ready()) {
      loop.signal();
    }
  }

  // What the loop does with it.

  boolean ready() {
    return connectedPending || failedPending || canRead() || canWrite();
  }

  private boolean canRead() {
    return wantsRead
        && (state == State.BROKEN || state == State.OPEN && (in.available() > 0 || in.atEnd()));
  }

  private boolean canWrite() {
    return wantsWrite && (state == State.BROKEN || state == State.OPEN && out.space() > 0);
  }

  /** Calls the handler for all that is ready. */
  int dispatch(long now) {
    if (failedPending) {
      failedPending = false;
      leave(State.ABANDONED);
      handler.failed(this, new WireException(name + ": " + cause), now);
      return 1;
    }
    int calls = 0;
    if (connectedPending) {
      connectedPending = false;
      calls++;
      handler.connected(this, now);
    }
    if (loop != null && canRead()) {
      calls++;
      guarded(true, now);
    }
    if (loop != null && canWrite()) {
      calls++;
      guarded(false, now);
    }
    return calls;
  }

  private void guarded(boolean read, long now) {
    try {
      if (read) {
        handler.readable(this, now);
      } else {
        handler.writable(this, now);
      }
    } catch (WireException broken) {
      abort();
      handler.failed(this, broken, now);
    }
  }

  @Override
  public String toString() {
    return name;
  }

  /** A wire's life. */
  enum State {
    CONNECTING,
    OPEN,
    BROKEN,
    CLOSED,
    ABANDONED
  }
}
