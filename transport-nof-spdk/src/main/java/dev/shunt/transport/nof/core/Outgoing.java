package dev.shunt.transport.nof.core;

import java.lang.foreign.MemorySegment;

/**
 * Turns commands, and requests for their data, into PDUs as the {@link Sender} has room. Commands
 * go first: they are short, and data of one write must not keep other commands back.
 */
final class Outgoing {
  /** In-capsule data up to here is copied: one call to the stream less. */
  private static final long COPIED = 4096;

  private static final int HEADER_LIMIT = 256;

  private final Sender sender;
  private final SlotRing commands;
  private final SlotRing data;
  private final Digest digest = new Digest();
  private boolean headerDigest;
  private boolean dataDigest;
  private int alignment = 4;
  private long maxData = 4096;

  Outgoing(Sender sender, int slots) {
    this.sender = sender;
    commands = new SlotRing(slots);
    data = new SlotRing(slots);
  }

  /** What the target granted and asks for. */
  void agreed(boolean headerDigest, boolean dataDigest, int alignment, long maxData) {
    this.headerDigest = headerDigest;
    this.dataDigest = dataDigest;
    this.alignment = alignment;
    this.maxData = maxData;
  }

  void command(Slot slot) {
    commands.add(slot);
  }

  void data(Slot slot) {
    data.add(slot);
  }

  void clear() {
    commands.clear();
    data.clear();
  }

  /** Makes PDUs until nothing waits, or no more fits. */
  void fill() {
    while (sender.fits(HEADER_LIMIT + (int) COPIED + Pdu.DIGEST, 3)) {
      if (!commands.isEmpty()) {
        var slot = commands.first();
        commands.removeFirst();
        encodeCommand(slot);
      } else if (!data.isEmpty()) {
        encodeData(data.first());
      } else {
        return;
      }
    }
  }

  private int aligned(int bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  private int header(MemorySegment ring, int at, int own, int offset) {
    int bytes = own;
    if (headerDigest) {
      digest.reset();
      digest.update(ring, at, own);
      Le.put32(ring, at + own, digest.value());
      bytes += Pdu.DIGEST;
    }
    for (; bytes < offset; bytes++) {
      Le.put8(ring, at + bytes, 0);
    }
    return bytes;
  }

  private void encodeCommand(Slot slot) {
    var ring = sender.ring();
    long bytes = slot.inCapsule ? slot.length : 0;
    int own = Pdu.COMMAND_LENGTH;
    int digests = headerDigest ? Pdu.DIGEST : 0;
    int offset = bytes > 0 ? aligned(own + digests) : 0;
    boolean trailer = bytes > 0 && dataDigest;
    long whole = Math.max(offset, own + digests) + bytes + (trailer ? Pdu.DIGEST : 0);
    int flags = (headerDigest ? Pdu.HDGST : 0) | (trailer ? Pdu.DDGST : 0);
    boolean copied = bytes <= COPIED;
    int at = sender.reserve(HEADER_LIMIT + (copied ? (int) bytes : 0) + Pdu.DIGEST);
    Pdu.common(ring, at, Pdu.CAPSULE_CMD, flags, own, offset, whole);
    MemorySegment.copy(slot.entry(), slot.at(), ring, at + Pdu.COMMON, Sqe.LENGTH);
    int length = header(ring, at, own, offset);
    if (bytes > 0) {
      slot.dataAt = sender.position() + length;
    }
    if (copied && bytes > 0) {
      MemorySegment.copy(slot.memory, slot.offset, ring, at + length, bytes);
      length += (int) bytes;
    }
    sender.staged(at, length, true);
    if (!copied) {
      sender.outside(slot.memory, slot.offset, bytes);
    }
    if (trailer) {
      trailer(slot, slot.offset, bytes);
    }
    slot.encoded = true;
    slot.endAt = sender.position();
  }

  private void encodeData(Slot slot) {
    long bytes = Math.min(maxData, slot.askedEnd - slot.askedFrom);
    boolean last = slot.askedFrom + bytes == slot.askedEnd;
    var ring = sender.ring();
    int own = Pdu.SHORT_LENGTH;
    int offset = aligned(own + (headerDigest ? Pdu.DIGEST : 0));
    long whole = offset + bytes + (dataDigest ? Pdu.DIGEST : 0);
    int flags =
        (headerDigest ? Pdu.HDGST : 0) | (dataDigest ? Pdu.DDGST : 0) | (last ? Pdu.LAST : 0);
    int at = sender.reserve(HEADER_LIMIT + Pdu.DIGEST);
    int id = slot.commandId();
    Pdu.h2cData(ring, at, flags, offset, whole, id, slot.tag, slot.askedFrom, bytes);
    int length = header(ring, at, own, offset);
    if (slot.dataAt == Long.MAX_VALUE) {
      slot.dataAt = sender.position() + length;
    }
    sender.staged(at, length, true);
    sender.outside(slot.memory, slot.offset + slot.askedFrom, bytes);
    if (dataDigest) {
      trailer(slot, slot.offset + slot.askedFrom, bytes);
    }
    slot.endAt = sender.position();
    slot.askedFrom += bytes;
    if (last) {
      slot.asked = false;
      data.removeFirst();
    }
  }

  private void trailer(Slot slot, long offset, long bytes) {
    digest.reset();
    digest.update(slot.memory, offset, bytes);
    int at = sender.reserve(Pdu.DIGEST);
    Le.put32(sender.ring(), at, digest.value());
    sender.staged(at, Pdu.DIGEST, false);
  }

  /** A command ended before all its data went out: the rest is not sent. */
  void forget(Slot slot) {
    if (slot.asked) {
      data.remove(slot);
      slot.asked = false;
    }
  }
}
