package dev.shunt.transport.nof.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import java.lang.foreign.MemorySegment;

/**
 * One qpair over one stream: the handshake, the Connect, then commands, whose completions may come
 * in any order. Owned by one thread. Allocates nothing for a command.
 *
 * <p>Whoever owns the stream calls {@link #open} when it is connected, moves its bytes by way of
 * {@link #receiver()} with {@link #received}, and of {@link #fill}, {@link #sender()} and {@link
 * #sent}; and {@link #tick} at {@link #nextDeadline()}.
 */
public final class Queue implements Receiver.Handler {
  private static final Object CONNECT = new Object();

  private enum State {
    NEW,
    GREETING,
    CONNECTING,
    LIVE,
    OVER
  }

  private final QueueSetup setup;
  private final QueueEvents events;
  // Let go of when the queue is over: somebody may hold on to a queue that is.
  private Sender sender;
  private Receiver receiver;
  private Outgoing outgoing;
  private MemorySegment connectData;
  private SlotTable slots;
  private int lingering;
  private State state = State.NEW;
  private long deadline = Long.MAX_VALUE;
  private Slot incoming;

  /** A queue that is not connected yet, with {@link #bytes} of memory that lives as long. */
  public Queue(QueueSetup setup, MemorySegment memory, QueueEvents events) {
    this.setup = setup;
    this.events = events;
    sender = new Sender(memory.asSlice(0, Sender.RING));
    receiver = new Receiver(memory.asSlice(Sender.RING, Receiver.BUFFER), this);
    long used = Sender.RING + Receiver.BUFFER;
    connectData = memory.asSlice(used, Sqe.CONNECT_DATA);
    int commands = setup.entries() - 1;
    var entries = memory.asSlice(used + Sqe.CONNECT_DATA, (long) commands * Sqe.LENGTH);
    outgoing = new Outgoing(sender, commands);
    slots = new SlotTable(commands, entries);
  }

  /** How much memory a queue of so many entries needs. */
  public static long bytes(int entries) {
    return Sender.RING + Receiver.BUFFER + Sqe.CONNECT_DATA + (long) entries * Sqe.LENGTH;
  }

  /** Begins a stream that is going to be connected: from here on the clock runs. */
  public void begin(long now) {
    deadline = now + setup.connectTimeout();
  }

  /** The stream is connected. */
  public void open(long now) {
    if (state != State.NEW) {
      return;
    }
    state = State.GREETING;
    int at = sender.reserve(Pdu.IC_LENGTH);
    Pdu.icReq(sender.ring(), at, setup.headerDigest(), setup.dataDigest());
    sender.staged(at, Pdu.IC_LENGTH, true);
  }

  /** How many commands it would take now. */
  public int room() {
    return state == State.LIVE ? slots.free() : 0;
  }

  /** How many commands are under way. */
  public int busy() {
    return state == State.OVER ? 0 : slots.busy();
  }

  /** Whether it is over. */
  public boolean isOver() {
    return state == State.OVER;
  }

  /** A slot for a command, while there is {@link #room()}. */
  public Slot take(Object owner) {
    if (room() == 0) {
      throw new IllegalStateException(setup.where() + " has no room for a command");
    }
    return slots.take(owner);
  }

  /** Prepares a read or a write of a namespace. */
  public static void transfer(Slot slot, boolean write, long namespace, long block, long blocks) {
    Sqe.transfer(slot, write, namespace, block, blocks);
  }

  /** Takes a command that is complete. */
  public void submit(Slot slot, long now) {
    submit(slot, slot.write && slot.length <= setup.inCapsule(), now + setup.commandTimeout());
  }

  private void submit(Slot slot, boolean inCapsule, long deadline) {
    slot.inCapsule = inCapsule;
    slot.deadline = deadline;
    Sqe.finish(slot);
    slots.issue(slot);
    outgoing.command(slot);
  }

  /** Where bytes come in, until it is over. */
  public Receiver receiver() {
    return receiver;
  }

  /** Where bytes go out, until it is over. */
  public Sender sender() {
    return sender;
  }

  /** Bytes came, and lie where the receiver wanted them. */
  public void received(long bytes, long now) {
    if (state == State.OVER) {
      return;
    }
    receiver.received(bytes, now);
  }

  /** Gives the sender what it has room for. */
  public void fill() {
    if (state == State.CONNECTING || state == State.LIVE) {
      outgoing.fill();
    }
  }

  /** The stream took bytes of the sender. */
  public void sent(long bytes, long now) {
    if (state == State.OVER) {
      return;
    }
    sender.sent(bytes);
    while (lingering > 0 && state != State.OVER) {
      var slot = slots.lingering(sender.written());
      if (slot == null) {
        return;
      }
      lingering--;
      finish(slot, now);
    }
  }

  /** When {@link #tick} has something to do. */
  public long nextDeadline() {
    return switch (state) {
      case NEW, GREETING, CONNECTING -> deadline;
      case LIVE -> slots.oldest() == null ? Long.MAX_VALUE : slots.oldest().deadline;
      case OVER -> Long.MAX_VALUE;
    };
  }

  /** Ends the queue if the target took too long. */
  public void tick(long now) {
    long next = nextDeadline();
    if (next == Long.MAX_VALUE || now - next < 0) {
      return;
    }
    long limit = state == State.LIVE ? setup.commandTimeout() : setup.connectTimeout();
    var what =
        switch (state) {
          case NEW -> "no connection";
          case GREETING -> "no ICResp";
          case CONNECTING -> "no answer to Connect";
          default -> "no answer to a command";
        };
    end(remote(FailureCode.UNREACHABLE, what + " within " + limit / 1_000_000 + " ms"), now);
  }

  private Fault remote(FailureCode code, String what) {
    return new Fault(Fault.Blame.REMOTE, code, Fault.Effect.NONE, setup.where() + ": " + what);
  }

  /** Ends the queue. The fault's effect is ignored; that of each command is told with it. */
  public void end(Fault cause, long now) {
    end(cause, 0, 0, null, 0, 0, now);
  }

  private void end(
      Fault cause, int fes, long information, MemorySegment pdu, long at, int bytes, long now) {
    if (state == State.OVER) {
      return;
    }
    boolean greeted = state != State.NEW;
    state = State.OVER;
    receiver.end();
    outgoing.clear();
    long written = sender.written();
    if (sender.drop() && greeted && fes != 0) {
      int to = sender.reserve(Pdu.TERM_LIMIT);
      Pdu.termReq(sender.ring(), to, fes, information, pdu, at, bytes);
      sender.staged(to, Pdu.SHORT_LENGTH + bytes, true);
    }
    events.closing(now);
    while (slots.oldest() != null) {
      var slot = slots.oldest();
      boolean touched = slot.write && written > slot.dataAt;
      var owner = slots.release(slot);
      if (owner != CONNECT) {
        events.aborted(owner, touched ? Fault.Effect.POSSIBLE : Fault.Effect.NONE, cause, now);
      }
    }
    sender = null;
    receiver = null;
    outgoing = null;
    connectData = null;
    slots = null;
    events.over(cause, now);
  }

  @Override
  public void broken(
      int fes, long information, String what, MemorySegment pdu, long at, int bytes, long now) {
    var code = fes == Pdu.FES_DIGEST ? FailureCode.CHECKSUM : FailureCode.PROTOCOL;
    end(remote(code, what), fes, information, pdu, at, bytes, now);
  }

  private void violated(
      int fes, long information, String what, MemorySegment pdu, long at, long now) {
    int type = Le.u8(pdu, at);
    int bytes = type == Pdu.IC_RESP ? Pdu.IC_LENGTH : Pdu.SHORT_LENGTH;
    broken(fes, information, Pdu.name(type) + ": " + what, pdu, at, bytes, now);
  }

  @Override
  public void header(int type, int flags, MemorySegment pdu, long at, long data, long now) {
    if (type == Pdu.C2H_TERM_REQ) {
      var reason = "the target ended the connection: " + Pdu.reason(Le.u16(pdu, at + 8));
      end(remote(FailureCode.PROTOCOL, reason), now);
    } else if ((type == Pdu.IC_RESP) != (state == State.GREETING)) {
      violated(Pdu.FES_SEQUENCE, 0, "not expected now", pdu, at, now);
    } else if (type == Pdu.IC_RESP) {
      greeted(pdu, at, now);
    } else if (type == Pdu.CAPSULE_RESP) {
      completion(pdu, at, now);
    } else if (type == Pdu.R2T) {
      asked(pdu, at, now);
    } else {
      announced(pdu, at, data, now);
    }
  }

  private void greeted(MemorySegment pdu, long at, long now) {
    int digests = Le.u8(pdu, at + 11);
    long maxData = Le.u32(pdu, at + 12);
    int padding = Le.u8(pdu, at + 10);
    boolean headerDigest = (digests & 1) != 0;
    boolean dataDigest = (digests & 2) != 0;
    if (Le.u16(pdu, at + 8) != 0) {
      violated(Pdu.FES_PARAMETER, 8, "a version of PDUs other than 0", pdu, at, now);
    } else if (padding > 31) {
      violated(Pdu.FES_FIELD, 10, "an alignment above 31", pdu, at, now);
    } else if (headerDigest && !setup.headerDigest() || dataDigest && !setup.dataDigest()) {
      violated(Pdu.FES_FIELD, 11, "a digest that was not asked for", pdu, at, now);
    } else if (maxData < 4096 || (maxData & 3) != 0) {
      violated(Pdu.FES_FIELD, 12, "a largest data PDU of " + maxData, pdu, at, now);
    } else {
      receiver.digests(headerDigest, dataDigest);
      outgoing.agreed(headerDigest, dataDigest, (padding + 1) * 4, maxData);
      state = State.CONNECTING;
      var slot = slots.take(CONNECT);
      Sqe.connect(slot, setup.queue(), setup.entries(), setup.keepAlive() / 1_000_000);
      var host = setup.host();
      Sqe.connectData(
          connectData, host.high(), host.low(), setup.controller(), setup.subsystem(), host.nqn());
      slot.data(true, connectData, 0, Sqe.CONNECT_DATA);
      submit(slot, true, deadline);
    }
  }

  private void completion(MemorySegment pdu, long at, long now) {
    var slot = slots.find(Le.u16(pdu, at + 20));
    if (slot == null) {
      violated(Pdu.FES_FIELD, 20, "no such command is under way", pdu, at, now);
      return;
    }
    slot.status = Le.u16(pdu, at + 22) >> 1;
    slot.result = Le.i64(pdu, at + 8);
    boolean sent = sender.written() >= slot.endAt;
    boolean moved = slot.inCapsule || slot.moved == slot.length && !slot.asked;
    if (NvmeStatus.good(slot.status) && !(sent && moved)) {
      violated(Pdu.FES_SEQUENCE, 0, "good, before all data has moved", pdu, at, now);
      return;
    }
    outgoing.forget(slot);
    if (sent) {
      finish(slot, now);
    } else {
      slot.ended = true;
      lingering++;
    }
  }

  private void finish(Slot slot, long now) {
    int status = slot.badDigest ? NvmeStatus.BAD_DATA_DIGEST : slot.status;
    long result = slot.result;
    var owner = slots.release(slot);
    if (owner == CONNECT) {
      connected(status, result, now);
    } else {
      events.completed(owner, status, result, now);
    }
  }

  private void connected(int status, long result, long now) {
    int controller = (int) (result & 0xffff);
    if (!NvmeStatus.good(status)) {
      end(NvmeStatus.ofConnect(status, setup.where()), now);
    } else if ((result >> 16 & 0xffff) != 0) {
      end(remote(FailureCode.UNSUPPORTED, "the target asks for authentication"), now);
    } else {
      state = State.LIVE;
      deadline = Long.MAX_VALUE;
      events.live(controller, now);
    }
  }

  private void asked(MemorySegment pdu, long at, long now) {
    var slot = slots.find(Le.u16(pdu, at + 8));
    long from = Le.u32(pdu, at + 12);
    long bytes = Le.u32(pdu, at + 16);
    if (slot == null || !slot.write || slot.inCapsule) {
      violated(Pdu.FES_FIELD, 8, "no such write is under way", pdu, at, now);
    } else if (slot.asked) {
      violated(Pdu.FES_LIMIT, 0, "a second one for the same command", pdu, at, now);
    } else if (from != slot.moved || bytes == 0 || from + bytes > slot.length) {
      violated(Pdu.FES_RANGE, 0, "bytes " + from + " + " + bytes + " not expected", pdu, at, now);
    } else {
      slot.asked = true;
      slot.tag = Le.u16(pdu, at + 10);
      slot.askedFrom = from;
      slot.askedEnd = from + bytes;
      slot.moved = from + bytes;
      outgoing.data(slot);
    }
  }

  private void announced(MemorySegment pdu, long at, long data, long now) {
    var slot = slots.find(Le.u16(pdu, at + 8));
    long from = Le.u32(pdu, at + 12);
    long bytes = Le.u32(pdu, at + 16);
    if (slot == null || slot.write) {
      violated(Pdu.FES_FIELD, 8, "no such read is under way", pdu, at, now);
    } else if (bytes != data) {
      violated(Pdu.FES_FIELD, 16, "its data length does not fit its length", pdu, at, now);
    } else if (from != slot.moved || from + bytes > slot.length) {
      violated(Pdu.FES_RANGE, 0, "bytes " + from + " + " + bytes + " not expected", pdu, at, now);
    } else {
      incoming = slot;
      receiver.into(slot.memory, slot.offset + from);
      slot.moved += bytes;
    }
  }

  @Override
  public void data(int flags, boolean digestMatches, long now) {
    var slot = incoming;
    incoming = null;
    slot.badDigest |= !digestMatches;
    if ((flags & Pdu.SUCCESS) == 0) {
      return;
    }
    if ((flags & Pdu.LAST) == 0 || slot.moved != slot.length) {
      var what = "a C2HData ends its command before all data has come";
      end(remote(FailureCode.PROTOCOL, what), now);
    } else {
      finish(slot, now);
    }
  }
}
