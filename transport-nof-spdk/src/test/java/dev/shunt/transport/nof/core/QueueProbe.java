package dev.shunt.transport.nof.core;

import dev.shunt.api.spi.Fault;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A queue whose stream is in the test's hands. */
final class QueueProbe implements QueueEvents {
  static final long SECOND = 1_000_000_000L;

  final Arena arena = Arena.ofAuto();
  final List<String> events = new ArrayList<>();
  final List<Fault> faults = new ArrayList<>();
  final Queue queue;
  long now = 1000;
  byte[] lastWords = {};
  Runnable onEvent = () -> {};

  QueueProbe(QueueSetup setup) {
    queue = new Queue(setup, arena.allocate(Queue.bytes(setup.entries()), 64), this);
  }

  static QueueSetup setup(int queue, int entries, long inCapsule, boolean digests) {
    return new QueueSetup(
        queue,
        entries,
        queue == 0 ? QueueSetup.ANY_CONTROLLER : 7,
        "nqn.t".getBytes(),
        new QueueSetup.Host(0x0102030405060708L, 0x090a0b0c0d0e0f10L, "nqn.h".getBytes()),
        queue == 0 ? 10 * SECOND : 0,
        inCapsule,
        digests,
        digests,
        SECOND,
        5 * SECOND,
        "queue");
  }

  /** An I/O queue that is live, without digests. */
  static QueueProbe io(int entries, long inCapsule) {
    var probe = new QueueProbe(setup(1, entries, inCapsule, false));
    probe.begin(0, 0, 8192);
    return probe;
  }

  void begin(int padding, int digests, int maxData) {
    queue.begin(now);
    queue.open(now);
    out();
    feed(icResp(padding, digests, maxData));
    out();
    int id = slot().commandId();
    feed(withDigest(completion(id, 0, 7), (digests & 1) != 0));
  }

  private static Slot slot() {
    var slot = new Slot(0, null);
    slot.begin("connect");
    return slot;
  }

  /** Takes out what the queue sends. */
  byte[] out() {
    return out(Integer.MAX_VALUE);
  }

  byte[] out(int most) {
    var bytes = new ByteArrayOutputStream();
    queue.fill();
    while (!queue.isOver() && queue.sender().pending() > 0 && bytes.size() < most) {
      long piece = Math.min(most - bytes.size(), queue.sender().pending());
      bytes.writeBytes(
          queue
              .sender()
              .memory()
              .asSlice(queue.sender().offset(), piece)
              .toArray(ValueLayout.JAVA_BYTE));
      queue.sent(piece, now);
      queue.fill();
    }
    return bytes.toByteArray();
  }

  void feed(ByteBuffer pdu) {
    feed(pdu.array(), Integer.MAX_VALUE);
  }

  void feed(byte[] bytes, int most) {
    int at = 0;
    while (at < bytes.length && !queue.isOver()) {
      var receiver = queue.receiver();
      int piece = (int) Math.min(Math.min(most, bytes.length - at), receiver.wanted());
      MemorySegment.copy(
          bytes, at, receiver.memory(), ValueLayout.JAVA_BYTE, receiver.offset(), piece);
      queue.received(piece, now);
      at += piece;
    }
  }

  void post(String name, boolean write, MemorySegment memory, long offset, long length) {
    var slot = queue.take(name);
    Queue.transfer(slot, write, 1, 0, length / 512);
    slot.data(write, memory, offset, length);
    queue.submit(slot, now);
  }

  static ByteBuffer pdu(int type, int flags, int own, int length) {
    var pdu = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    return pdu.put(0, (byte) type).put(1, (byte) flags).put(2, (byte) own).putInt(4, length);
  }

  static ByteBuffer icResp(int padding, int digests, int maxData) {
    return pdu(1, 0, 128, 128).put(10, (byte) padding).put(11, (byte) digests).putInt(12, maxData);
  }

  static ByteBuffer completion(int id, int status, long result) {
    return pdu(5, 0, 24, 24)
        .putLong(8, result)
        .putShort(20, (short) id)
        .putShort(22, (short) (status << 1));
  }

  static ByteBuffer r2t(int id, int tag, int from, int bytes) {
    return pdu(9, 0, 24, 24)
        .putShort(8, (short) id)
        .putShort(10, (short) tag)
        .putInt(12, from)
        .putInt(16, bytes);
  }

  static ByteBuffer c2h(int flags, int id, int from, byte[] data) {
    return pdu(7, flags, 24, 24 + data.length)
        .put(3, (byte) 24)
        .putShort(8, (short) id)
        .putInt(12, from)
        .putInt(16, data.length)
        .put(24, data);
  }

  static ByteBuffer withDigest(ByteBuffer pdu, boolean yes) {
    if (!yes) {
      return pdu;
    }
    var longer = ByteBuffer.allocate(pdu.limit() + 4).order(ByteOrder.LITTLE_ENDIAN);
    longer.put(0, pdu.array());
    longer.put(1, (byte) (pdu.get(1) | 1)).putInt(4, longer.limit());
    var crc = new java.util.zip.CRC32C();
    crc.update(longer.array(), 0, pdu.limit());
    return longer.putInt(pdu.limit(), (int) crc.getValue());
  }

  /** The command id in a capsule or data PDU that was sent. */
  static int id(byte[] pdu) {
    return (pdu[10] & 0xff) | (pdu[11] & 0xff) << 8;
  }

  @Override
  public void live(int controller, long at) {
    events.add("live " + controller);
    onEvent.run();
  }

  @Override
  public void completed(Object owner, int status, long result, long at) {
    events.add("completed " + owner + " " + Integer.toHexString(status));
    onEvent.run();
  }

  @Override
  public void closing(long at) {
    events.add("closing");
    var sender = queue.sender();
    lastWords =
        sender.pending() == 0
            ? new byte[0]
            : sender
                .memory()
                .asSlice(sender.offset(), sender.pending())
                .toArray(ValueLayout.JAVA_BYTE);
  }

  @Override
  public void aborted(Object owner, Fault.Effect effect, Fault cause, long at) {
    events.add("aborted " + owner + " " + effect);
    onEvent.run();
  }

  @Override
  public void over(Fault cause, long at) {
    events.add("over " + cause.code());
    faults.add(cause);
    onEvent.run();
  }
}
