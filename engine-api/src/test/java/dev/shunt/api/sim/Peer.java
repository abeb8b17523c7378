package dev.shunt.api.sim;

import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.WireServer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A simple user of wires: sends what it has, takes what comes, and remembers what happened. */
final class Peer implements Actor, WireHandler, WireServer.Handler {
  final SimProcess process;
  final WireLoop loop;
  final Turn turn;
  final List<Wire> wires = new ArrayList<>();
  final List<String> events = new ArrayList<>();
  final MemorySegment inbox = Arena.ofAuto().allocate(1 << 20);
  MemorySegment outbox = Arena.ofAuto().allocate(1 << 20);
  long received;
  long sent;
  long toSend;
  boolean takes = true;
  boolean ended;
  WireException broke;

  Peer(SimHost host, String name) {
    process = host.start(name);
    loop = host.wires(process).open("loop");
    turn = process.actor("peer", this);
  }

  WireServer listen(String address, int port) {
    return loop.listen(new InetSocketAddress(address, port), this);
  }

  Wire connect(String local, String remote, int port) {
    var wire =
        loop.connect(new InetSocketAddress(local, 0), new InetSocketAddress(remote, port), this);
    wires.add(wire);
    return wire;
  }

  void send(long bytes) {
    toSend += bytes;
    wires.getFirst().interest(takes, true);
  }

  void take(boolean reads) {
    takes = reads;
    wires.getFirst().interest(takes, sent < toSend);
  }

  @Override
  public int work(long now) {
    return loop.poll(now);
  }

  @Override
  public WireHandler accepted(Wire wire, long now) {
    wires.add(wire);
    events.add("accepted");
    wire.interest(takes, false);
    return this;
  }

  @Override
  public void connected(Wire wire, long now) {
    events.add("connected");
    wire.interest(takes, sent < toSend);
  }

  @Override
  public void readable(Wire wire, long now) {
    long n = wire.read(inbox, received, inbox.byteSize() - received);
    if (n < 0) {
      ended = true;
      events.add("ended");
      wire.close();
    } else {
      received += n;
    }
  }

  @Override
  public void writable(Wire wire, long now) {
    sent += wire.write(outbox, sent, toSend - sent);
    wire.interest(takes, sent < toSend);
  }

  @Override
  public void failed(Wire wire, WireException cause, long now) {
    broke = cause;
    events.add("failed");
  }
}
