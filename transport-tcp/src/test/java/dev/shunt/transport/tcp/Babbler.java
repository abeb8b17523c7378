package dev.shunt.transport.tcp;

import dev.shunt.api.contract.VirtualStage;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/** Somebody on host {@code a} who connects and talks nonsense. */
final class Babbler implements WireHandler {
  private final MemorySegment bytes;
  private final MemorySegment heard = Arena.ofAuto().allocate(64);
  private long said;

  private Babbler(byte[] bytes) {
    this.bytes = Arena.ofAuto().allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
  }

  static void begin(VirtualStage stage, InetSocketAddress at, byte[] bytes) {
    var loop = stage.wires("a").open("babbler");
    stage.actor("a", "babbler", loop::poll);
    loop.connect(new InetSocketAddress("10.0.0.1", 0), at, new Babbler(bytes));
    loop.wake();
  }

  @Override
  public void connected(Wire wire, long now) {
    wire.interest(true, true);
  }

  @Override
  public void readable(Wire wire, long now) {
    if (wire.read(heard, 0, heard.byteSize()) < 0) {
      wire.close();
    }
  }

  @Override
  public void writable(Wire wire, long now) {
    said += wire.write(bytes, said, bytes.byteSize() - said);
    wire.interest(true, said < bytes.byteSize());
  }

  @Override
  public void failed(Wire wire, WireException cause, long now) {
    heard.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
  }
}
