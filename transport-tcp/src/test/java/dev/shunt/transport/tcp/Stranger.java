package dev.shunt.transport.tcp;

import dev.shunt.api.sim.SimHost;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/** Somebody who connects, and says little or nothing. */
final class Stranger implements WireHandler {
  boolean connected;
  boolean ended;
  MemorySegment says;

  Stranger() {}

  Stranger(Town town, int rail) {
    this(town, town.hostA, "10.0.0.1", rail);
  }

  Stranger(Town town, SimHost host, String from, int rail) {
    var process = host.start("stranger");
    var loop = host.wires(process).open("loop");
    process.actor("stranger", loop::poll);
    var at = Town.addressOf(town.b.rail(rail));
    loop.connect(new InetSocketAddress(from, 0), at, this);
    loop.wake();
  }

  @Override
  public void connected(Wire wire, long now) {
    connected = true;
    if (says != null) {
      wire.write(says, 0, says.byteSize());
    }
  }

  @Override
  public void readable(Wire wire, long now) {
    ended = true;
    wire.close();
  }

  @Override
  public void writable(Wire wire, long now) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void failed(Wire wire, WireException cause, long now) {
    ended = true;
  }
}
