package dev.shunt.runtime.control;

import dev.shunt.api.sim.Actor;
import dev.shunt.api.sim.SimHost;
import dev.shunt.api.sim.SimProcess;
import dev.shunt.api.sim.Turn;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.WireServer;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A peer that sends just the bytes it is told to, on the connection that came last. */
final class RawPeer implements Actor, WireHandler, WireServer.Handler {
  final SimProcess process;
  private final WireLoop loop;
  private final Turn turn;
  private final MemorySegment staging = Arena.ofAuto().allocate(64 << 10);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  final List<Wire> wires = new ArrayList<>();
  final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private Wire wire;
  private boolean connected;
  private boolean reads = true;
  private boolean finish;
  private int sent;
  boolean ended;
  boolean broke;

  RawPeer(SimHost host, String name) {
    process = host.start(name);
    loop = host.wires(process).open("raw");
    turn = process.actor("raw", this);
  }

  void listen(String address, int port) {
    loop.listen(new InetSocketAddress(address, port), this);
  }

  void connect(String local, String remote, int port) {
    reset();
    wire = loop.connect(new InetSocketAddress(local, 0), new InetSocketAddress(remote, port), this);
  }

  private void reset() {
    out.reset();
    received.reset();
    sent = 0;
    connected = false;
    ended = false;
    broke = false;
    finish = false;
  }

  void send(byte[] bytes) {
    out.writeBytes(bytes);
    turn.wake();
  }

  /** Closes when all is sent. */
  void finish() {
    finish = true;
    turn.wake();
  }

  boolean finished() {
    return wire == null;
  }

  void reads(boolean wanted) {
    reads = wanted;
    turn.wake();
  }

  byte[] taken() {
    var bytes = received.toByteArray();
    received.reset();
    return bytes;
  }

  @Override
  public int work(long now) {
    int done = loop.poll(now);
    if (wire != null && connected && !ended && !broke) {
      done += push();
    }
    return done;
  }

  private int push() {
    var all = out.toByteArray();
    int count = Math.min(all.length - sent, 64 << 10);
    if (count > 0) {
      MemorySegment.copy(all, sent, staging, ValueLayout.JAVA_BYTE, 0, count);
      sent += (int) wire.write(staging, 0, count);
    }
    if (sent == all.length && finish) {
      wire.close();
      wire = null;
      return 1;
    }
    wire.interest(reads, sent < all.length);
    return 0;
  }

  @Override
  public WireHandler accepted(Wire accepted, long now) {
    reset();
    wires.add(accepted);
    wire = accepted;
    connected = true;
    return this;
  }

  @Override
  public void connected(Wire ignored, long now) {
    connected = true;
  }

  @Override
  public void readable(Wire from, long now) {
    long count = from.read(staging, 0, staging.byteSize());
    if (count < 0) {
      ended = true;
      from.close();
    } else {
      received.writeBytes(staging.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
    }
  }

  @Override
  public void writable(Wire ignored, long now) {}

  @Override
  public void failed(Wire ignored, WireException cause, long now) {
    broke = true;
  }
}
