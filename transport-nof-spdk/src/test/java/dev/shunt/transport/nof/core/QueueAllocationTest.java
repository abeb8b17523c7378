package dev.shunt.transport.nof.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.api.spi.Fault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** A command in steady state leaves nothing on the heap, with digests or without. */
class QueueAllocationTest {
  private static final int ROUNDS = 4000;
  private static final int COMMANDS = 16;

  /** A target that answers out of what is sent, without an object. */
  private static final class Echo implements QueueEvents {
    final Arena arena = Arena.ofAuto();
    final MemorySegment sent = arena.allocate(1 << 20);
    final MemorySegment answers = arena.allocate(1 << 20);
    final MemorySegment memory = arena.allocate(1 << 20);
    final Queue queue;
    long filled;
    long answered;
    int completed;

    Echo() {
      var setup = QueueProbe.setup(1, 64, 4096, false);
      queue = new Queue(setup, arena.allocate(Queue.bytes(64), 64), this);
      queue.begin(0);
      queue.open(0);
      take();
      give(QueueProbe.icResp(0, 0, 8192).array());
      take();
      give(QueueProbe.completion(id(0), 0, 7).array());
    }

    void give(byte[] bytes) {
      var from = MemorySegment.ofArray(bytes);
      MemorySegment.copy(from, 0, answers, 0, bytes.length);
      answered = bytes.length;
      deliver();
    }

    void deliver() {
      long at = 0;
      while (at < answered) {
        var receiver = queue.receiver();
        long piece = Math.min(answered - at, receiver.wanted());
        MemorySegment.copy(answers, at, receiver.memory(), receiver.offset(), piece);
        queue.received(piece, 0);
        at += piece;
      }
      answered = 0;
    }

    void take() {
      filled = 0;
      queue.fill();
      var sender = queue.sender();
      while (sender.pending() > 0) {
        long piece = sender.pending();
        MemorySegment.copy(sender.memory(), sender.offset(), sent, filled, piece);
        filled += piece;
        queue.sent(piece, 0);
        queue.fill();
      }
    }

    int id(long at) {
      return Le.u16(sent, at + 10);
    }

    void answer() {
      for (long at = 0; at < filled; at += Le.u32(sent, at + 4)) {
        int type = Le.u8(sent, at);
        int id = type == Pdu.CAPSULE_CMD ? id(at) : Le.u16(sent, at + 8);
        boolean read = type == Pdu.CAPSULE_CMD && Le.u8(sent, at + 8) == Sqe.READ;
        long length = type == Pdu.CAPSULE_CMD ? Le.u32(sent, at + 40) : 0;
        if (read) {
          int flags = Pdu.LAST | Pdu.SUCCESS;
          Pdu.common(answers, answered, Pdu.C2H_DATA, flags, 24, 24, 24 + length);
          Le.put16(answers, answered + 8, id);
          Le.put32(answers, answered + 12, 0);
          Le.put32(answers, answered + 16, length);
          answered += 24 + length;
        } else if (type == Pdu.CAPSULE_CMD && Le.u32(sent, at + 4) == 72) {
          Pdu.common(answers, answered, Pdu.R2T, 0, 24, 0, 24);
          Le.put16(answers, answered + 8, id);
          Le.put16(answers, answered + 10, 1);
          Le.put32(answers, answered + 12, 0);
          Le.put32(answers, answered + 16, length);
          answered += 24;
        } else if (type == Pdu.CAPSULE_CMD || (Le.u8(sent, at + 1) & Pdu.LAST) != 0) {
          Pdu.common(answers, answered, Pdu.CAPSULE_RESP, 0, 24, 0, 24);
          Le.put64(answers, answered + 8, 0);
          Le.put16(answers, answered + 20, id);
          Le.put16(answers, answered + 22, 0);
          answered += 24;
        }
      }
    }

    void round() {
      completed = 0;
      for (int i = 0; i < COMMANDS; i++) {
        var slot = queue.take(this);
        long length = i % 4 == 0 ? 16384 : 512;
        Queue.transfer(slot, i % 2 == 0, 1, i, length / 512);
        slot.data(i % 2 == 0, memory, i * 16384L, length);
        queue.submit(slot, 0);
      }
      while (completed < COMMANDS) {
        take();
        answer();
        deliver();
      }
    }

    @Override
    public void live(int controller, long now) {}

    @Override
    public void completed(Object owner, int status, long result, long now) {
      completed++;
    }

    @Override
    public void closing(long now) {}

    @Override
    public void aborted(Object owner, Fault.Effect effect, Fault cause, long now) {}

    @Override
    public void over(Fault cause, long now) {
      throw new IllegalStateException(cause.text());
    }
  }

  @Test
  void aCommandLeavesNothingOnTheHeap() {
    var echo = new Echo();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS && least > 0; i++) {
      long before = Heap.allocated();
      echo.round();
      least = Math.min(least, Heap.allocated() - before);
    }
    assertEquals(0, least, "heap bytes of " + COMMANDS + " commands");
  }
}
