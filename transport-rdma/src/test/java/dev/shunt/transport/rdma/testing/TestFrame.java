package dev.shunt.transport.rdma.testing;

import dev.shunt.api.Notification;
import dev.shunt.api.spi.NotifyFrame;
import dev.shunt.api.spi.RawFrame;
import java.lang.foreign.MemorySegment;

/** One notification; the same only as itself. */
public final class TestFrame implements NotifyFrame {
  private final MemorySegment bytes;
  private final long slotDeadline;

  /** Of these bytes, whatever they are. */
  public TestFrame(byte[] bytes, long slotDeadline) {
    this.bytes = MemorySegment.ofArray(bytes);
    this.slotDeadline = slotDeadline;
  }

  /** A raw frame. */
  public TestFrame(String message, long slotDeadline) {
    this(RawFrame.of(new Notification("test", message)), slotDeadline);
  }

  @Override
  public MemorySegment bytes() {
    return bytes;
  }

  @Override
  public long slotDeadline() {
    return slotDeadline;
  }

  @Override
  public String toString() {
    return bytes.byteSize() == 0 ? "" : RawFrame.read(bytes).message();
  }
}
