package dev.shunt.api.sim;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One direction of a connection: the sender's socket buffer, what is under way, and the receiver's
 * socket buffer, all in one ring. Positions only grow: read &le; delivered &le; sent &le; written.
 */
final class Stream extends Event {
  private static final int PACKETS = 16;
  private static final byte DATA = 0;
  private static final byte FIN = 1;
  private static final byte RST = 2;
  private static final byte ACCEPT = 3;

  private final SimNetwork network;
  private final SimPath path;
  private final SimWire from;
  private final SimWire to;
  private final int number;
  private final int sendBuffer;
  private final int receiveBuffer;
  private byte[] ring;
  private long read;
  private long delivered;
  private long sent;
  private long written;

  private final long[] ends = new long[PACKETS];
  private final long[] arrivals = new long[PACKETS];
  private final byte[] kinds = new byte[PACKETS];
  private int head;
  private int count;
  private long lastArrival;
  private long retry;
  private long lostSince;
  private boolean finWanted;
  private boolean finSent;
  private boolean ended;
  private boolean over;

  Stream(SimNetwork network, SimPath path, SimWire from, SimWire to) {
    this.network = network;
    this.path = path;
    this.from = from;
    this.to = to;
    number = network.world().number();
    sendBuffer = network.bufferSize();
    receiveBuffer = network.bufferSize();
    path.add(this);
  }

  int number() {
    return number;
  }

  SimPath path() {
    return path;
  }

  /** Bytes that can be read now. */
  long available() {
    return delivered - read;
  }

  /** Whether all was read and no more comes. */
  boolean atEnd() {
    return ended && delivered == read;
  }

  /** Bytes that can be written now. */
  long space() {
    return finWanted ? 0 : sendBuffer - (written - delivered);
  }

  long read(MemorySegment into, long offset, long length) {
    long n = Math.min(length, available());
    n = network.some(n);
    copyOut(into, offset, (int) n);
    read += n;
    pump();
    return n;
  }

  long write(MemorySegment source, long offset, long length) {
    long n = network.some(Math.min(length, space()));
    if (n > 0) {
      if (ring == null) {
        ring = network.rings().take(sendBuffer + receiveBuffer);
      }
      copyIn(source, offset, (int) n);
      written += n;
      pump();
    }
    return n;
  }

  /** The end of the stream, after what was written. */
  void finish() {
    finWanted = true;
    pump();
  }

  /** Tells the other side that the connection is gone, after what is under way. */
  void reset() {
    if (over) {
      return;
    }
    written = sent;
    finWanted = true;
    finSent = true;
    if (count == PACKETS) {
      count--;
    }
    push(RST, 0);
  }

  /** The server's kernel answers the client. */
  void accept() {
    push(ACCEPT, 0);
  }

  /** Nothing more is sent or arrives; what was delivered can be read. */
  void stop() {
    if (over) {
      return;
    }
    over = true;
    network.world().cancel(this);
    count = 0;
    path.remove(this);
    if (to.left()) {
      free();
    }
  }

  /** Nobody reads any more. */
  void free() {
    if (over && ring != null) {
      network.rings().give(ring);
      ring = null;
      read = delivered;
    }
  }

  void cut() {
    from.broke("connection reset (cut)");
    to.broke("connection reset (cut)");
  }

  void kick(boolean atOnce) {
    if (count > 0 && !over) {
      if (atOnce && retry > 0) {
        retry = 0;
        arrivals[head] = network.world().now() + network.latency();
      }
      network.world().schedule(this, arrivals[head]);
    }
  }

  private void pump() {
    if (over) {
      return;
    }
    while (count < PACKETS - 1 && sent < written) {
      long window = receiveBuffer - (sent - read);
      if (window <= 0) {
        return;
      }
      int size = (int) Math.min(Math.min(written - sent, window), network.packetSize());
      sent += size;
      push(DATA, size);
    }
    if (finWanted && !finSent && sent == written && count < PACKETS) {
      finSent = true;
      push(FIN, 0);
    }
  }

  private void push(byte kind, int size) {
    long now = network.world().now();
    int slot = (head + count) % PACKETS;
    lastArrival = Math.max(lastArrival, path.arrival(now, size + 66));
    ends[slot] = sent;
    arrivals[slot] = lastArrival;
    kinds[slot] = kind;
    count++;
    if (count == 1 && !path.held()) {
      network.world().schedule(this, lastArrival);
    }
  }

  @Override
  protected void fire(long now) {
    if (path.held()) {
      return;
    }
    network.world().trace().add(now, "packet", number, ends[head]);
    if (path.loses()) {
      lost(now);
      return;
    }
    if (kinds[head] == DATA && to.deaf()) {
      refuse(now);
      lost(now);
      return;
    }
    retry = 0;
    while (count > 0 && !over && arrivals[head] <= now) {
      byte kind = kinds[head];
      long end = ends[head];
      head = (head + 1) % PACKETS;
      count--;
      arrived(kind, end);
    }
    if (!over) {
      pump();
      if (count > 0 && !over) {
        network.world().schedule(this, arrivals[head]);
      }
    }
  }

  private void arrived(byte kind, long end) {
    if (kind == ACCEPT) {
      to.accepted();
    } else if (kind == RST) {
      to.broke("connection reset by peer");
    } else if (kind == FIN) {
      ended = true;
      stop();
      to.signal();
    } else {
      if (!network.spared(to) && path.corrupts()) {
        long at = delivered + network.dice().below(end - delivered);
        ring[(int) (at & (ring.length - 1))] ^= (byte) (1 << network.dice().below(8));
        network.damaged(path.from(), path.to());
      }
      delivered = end;
      to.signal();
      from.signal();
    }
  }

  /** Nobody has this connection there: the kernel says so, if its word comes through. */
  private void refuse(long now) {
    var back = network.path(path.to(), path.from());
    network
        .world()
        .at(
            back.arrival(now, 66),
            () -> {
              if (!over && !back.held() && !back.loses()) {
                from.broke("connection reset by peer");
              }
            });
  }

  private void lost(long now) {
    if (from.abandoned()) {
      stop();
      return;
    }
    if (retry == 0) {
      lostSince = now;
      retry = network.retransmission();
    } else {
      retry = Math.min(retry * 2, 120_000_000_000L);
    }
    if (now - lostSince > network.giveUp()) {
      from.broke("connection timed out: no acknowledgement since " + (now - lostSince) + " ns");
      return;
    }
    long next = now + retry;
    for (int i = 0; i < count; i++) {
      int slot = (head + i) % PACKETS;
      arrivals[slot] = Math.max(arrivals[slot], next);
    }
    lastArrival = Math.max(lastArrival, next);
    network.world().schedule(this, next);
  }

  private void copyIn(MemorySegment source, long offset, int n) {
    int at = (int) (written & (ring.length - 1));
    int first = Math.min(n, ring.length - at);
    MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, ring, at, first);
    if (first < n) {
      MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset + first, ring, 0, n - first);
    }
  }

  private void copyOut(MemorySegment into, long offset, int n) {
    if (n == 0) {
      return;
    }
    int at = (int) (read & (ring.length - 1));
    int first = Math.min(n, ring.length - at);
    MemorySegment.copy(ring, at, into, ValueLayout.JAVA_BYTE, offset, first);
    if (first < n) {
      MemorySegment.copy(ring, 0, into, ValueLayout.JAVA_BYTE, offset + first, n - first);
    }
  }
}
