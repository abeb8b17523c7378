package dev.shunt.transport.nof.testing;

import dev.shunt.api.spi.Wire;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes that wait to be sent. */
final class Outbox {
  private static final int LIMIT = 64 << 20;

  private byte[] bytes = new byte[16 << 10];
  private MemorySegment memory = MemorySegment.ofArray(bytes);
  private int head;
  private int tail;

  boolean isEmpty() {
    return head == tail;
  }

  void add(ByteBuffer pdu) {
    int more = pdu.remaining();
    if (head > 0 && tail + more > bytes.length) {
      System.arraycopy(bytes, head, bytes, 0, tail - head);
      tail -= head;
      head = 0;
    }
    if (tail + more > bytes.length) {
      if (tail + more > LIMIT) {
        throw new IllegalStateException("the host reads nothing");
      }
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, tail + more));
      memory = MemorySegment.ofArray(bytes);
    }
    pdu.get(bytes, tail, more);
    tail += more;
  }

  /** Sends what fits; whether all is out. */
  boolean send(Wire wire, int chunk) {
    long n = wire.write(memory, head, Math.min(chunk, tail - head));
    head += (int) n;
    if (head == tail) {
      head = 0;
      tail = 0;
    }
    return head == tail;
  }

  @Override
  public String toString() {
    return Arrays.toString(memory.asSlice(head, tail - head).toArray(ValueLayout.JAVA_BYTE));
  }
}
