package dev.shunt.transport.nof.testing;

import dev.shunt.api.spi.Wire;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.TreeMap;

/** One queue of a target, over one connection. */
final class SoftConnection implements SoftStream.Handler {
  private final SoftTarget target;
  private final SoftStream stream;
  private final TreeMap<Integer, SoftCommand> commands = new TreeMap<>();
  private final SoftAdmin admin;
  private final long since;
  private boolean greeted;
  private int tags;
  private int heads;
  int queue = -1;
  int entries = 2;
  SoftController controller;

  SoftConnection(SoftTarget target, Wire wire, long now) {
    this.target = target;
    stream = new SoftStream(target, wire, this);
    admin = new SoftAdmin(target, this);
    since = now;
  }

  SoftStream stream() {
    return stream;
  }

  void accepted() {
    act(Stage.ACCEPT, null, since);
    stream.interest();
  }

  boolean live() {
    return controller != null;
  }

  void interest() {
    stream.interest();
  }

  void drop() {
    stream.end(true);
  }

  @Override
  public void ended() {
    target.gone(this);
    commands.clear();
    if (controller != null) {
      controller.queues.remove(queue);
      if (queue == 0) {
        target.end(controller);
      }
    }
  }

  @Override
  public void nonsense(String what) {
    violation(1, 4, what);
  }

  @Override
  public void pdu(ByteBuffer pdu, long now) {
    int type = pdu.get(0) & 0xff;
    int own = pdu.get(2) & 0xff;
    int expected = type == 0 ? 128 : type == 4 ? 72 : 24;
    if (type != 0 && type != 2 && type != 4 && type != 6) {
      violation(1, 0, "a PDU of type " + type);
    } else if (own != expected || pdu.limit() < own) {
      violation(1, 2, "a header of " + own + " bytes in a PDU of type " + type);
    } else if (type == 2) {
      target.events().add("H2CTermReq " + pdu.getShort(8) + " " + pdu.getInt(10));
      stream.end(false);
    } else if (greeted == (type == 0)) {
      violation(2, 0, "a PDU of type " + type + " out of sequence");
    } else if (type == 0) {
      greet(pdu, now);
    } else if (stream.wrongDigest(pdu, own) instanceof String wrong) {
      violation(wrong.contains("digest") ? 3 : 1, 1, wrong);
    } else {
      int offset = pdu.get(3) & 0xff;
      int end = own + (stream.headerDigest() ? 4 : 0);
      int data = offset == 0 ? 0 : pdu.limit() - offset - (stream.dataDigest() ? 4 : 0);
      boolean right =
          offset == 0
              ? pdu.limit() == end
              : offset >= end && offset % target.options().alignment == 0 && data > 0;
      if (!right) {
        violation(1, 3, "data at " + offset + " in a PDU of " + pdu.limit() + " bytes");
      } else if (type == 4) {
        command(pdu, offset, data, now);
      } else {
        data(pdu, offset, data, now);
      }
    }
  }

  private void greet(ByteBuffer pdu, long now) {
    if (act(Stage.IC, null, now)) {
      return;
    }
    greeted = true;
    var options = target.options();
    boolean headerDigest = options.headerDigest && (pdu.get(11) & 1) != 0;
    boolean dataDigest = options.dataDigest && (pdu.get(11) & 2) != 0;
    stream.agreed(headerDigest, dataDigest);
    var answer = SoftStream.pdu(1, 0, 128, 128);
    answer.put(10, (byte) (options.alignment / 4 - 1));
    answer.put(11, (byte) ((stream.headerDigest() ? 1 : 0) | (dataDigest ? 2 : 0)));
    answer.putInt(12, options.maxData);
    stream.put(answer);
  }

  private void command(ByteBuffer pdu, int offset, int bytes, long now) {
    int opcode = pdu.get(8) & 0xff;
    int id = pdu.getShort(10) & 0xffff;
    boolean inCapsule = (pdu.get(47) & 0xff) == 1;
    int length = pdu.getInt(40);
    if (commands.containsKey(id)) {
      violation(2, 0, "command id " + id + " is under way already");
    } else if (commands.size() + 1 >= entries && live()) {
      violation(2, 0, "more than " + (entries - 1) + " commands");
    } else if (inCapsule != bytes > 0 || inCapsule && length != bytes) {
      violation(1, 40, "a descriptor of " + length + " bytes, " + bytes + " in the capsule");
    } else if (queue > 0) {
      transfer(pdu, opcode, id, offset, bytes, length, now);
    } else {
      admin.command(pdu, opcode, id, offset, now);
    }
  }

  private void transfer(
      ByteBuffer pdu, int opcode, int id, int offset, int bytes, int length, long now) {
    var options = target.options();
    long block = pdu.getLong(48);
    int blocks = (pdu.getInt(56) & 0xffff) + 1;
    boolean write = opcode == 1;
    if (bytes > options.inCapsule) {
      violation(1, 40, bytes + " bytes in a capsule");
      return;
    }
    var command = new SoftCommand(this, id, opcode, block * options.blockSize, length, write);
    commands.put(id, command);
    if (opcode != 1 && opcode != 2) {
      complete(command, 1, 0, now);
    } else if (length != blocks * options.blockSize) {
      complete(command, 2, 0, now);
    } else if (options.mdts > 0 && length > 4096 << options.mdts) {
      complete(command, 2, 0, now);
    } else if (pdu.getInt(12) != options.namespace) {
      complete(command, 0x0b, 0, now);
    } else if (block < 0 || block > options.blocks - blocks) {
      complete(command, 0x80, 0, now);
    } else if (!act(write ? Stage.WRITE : Stage.READ, command, now)) {
      if (!write) {
        ready(command, now);
      } else if (bytes > 0) {
        pdu.get(offset, command.data, 0, bytes);
        command.got = bytes;
        landed(command, now);
      } else {
        ask(command, now);
      }
    }
  }

  private void ask(SoftCommand command, long now) {
    if (act(Stage.R2T, command, now)) {
      return;
    }
    int bytes = Math.min(target.options().requestPiece, command.length - command.asked);
    command.tag = ++tags & 0xffff;
    request(command, command.asked, bytes);
    command.asked += bytes;
  }

  private void request(SoftCommand command, int from, int bytes) {
    var pdu = stream.shortPdu(9);
    pdu.putShort(8, (short) command.id);
    pdu.putShort(10, (short) command.tag);
    pdu.putInt(12, from);
    pdu.putInt(16, bytes);
    stream.send(pdu);
  }

  private void data(ByteBuffer pdu, int offset, int bytes, long now) {
    var command = commands.get(pdu.getShort(8) & 0xffff);
    int from = pdu.getInt(12);
    boolean last = (pdu.get(1) & 4) != 0;
    if (command == null || command.data == null) {
      violation(1, 8, "data for no write");
    } else if ((pdu.getShort(10) & 0xffff) != command.tag) {
      violation(1, 10, "data with another tag");
    } else if (pdu.getInt(16) != bytes || bytes > target.options().maxData) {
      violation(5, 16, "data of " + pdu.getInt(16) + " bytes, " + bytes + " there");
    } else if (from != command.got || from + bytes > command.asked) {
      violation(4, 12, "data at " + from + " where " + command.got + " is next");
    } else if (last != (from + bytes == command.asked)) {
      violation(1, 1, "the flag of the last data is " + last + " at " + (from + bytes));
    } else if (!act(Stage.DATA, command, now)) {
      pdu.get(offset, command.data, from, bytes);
      command.got += bytes;
      if (command.got == command.length) {
        landed(command, now);
      } else if (command.got == command.asked) {
        ask(command, now);
      }
    }
  }

  private void landed(SoftCommand command, long now) {
    if (!act(Stage.APPLY, command, now)) {
      ready(command, now);
    }
  }

  private void ready(SoftCommand command, long now) {
    if (target.options().serviceTime + target.options().serviceJitter == 0) {
      serve(command, now);
    } else {
      target.later(command, now);
    }
  }

  /** Does what a command asks for. */
  void serve(SoftCommand command, long now) {
    var memory = target.memory();
    if (command.data != null) {
      MemorySegment.copy(
          MemorySegment.ofArray(command.data), 0, memory, command.offset, command.length);
      target.applied(command.offset, command.length, now);
      if (!act(Stage.COMPLETE, command, now)) {
        complete(command, 0, 0, now);
      }
    } else if (!act(Stage.COMPLETE, command, now)) {
      target.served();
      var options = target.options();
      var source = memory.asByteBuffer();
      answer(
          command,
          source.slice((int) command.offset, command.length),
          options.dataPiece,
          options.success,
          now);
    }
    stream.push();
  }

  /** Sends data of a read, and its completion. */
  void answer(SoftCommand command, ByteBuffer source, int piece, boolean success, long now) {
    for (int from = 0; from < source.limit(); from += piece) {
      int bytes = Math.min(piece, source.limit() - from);
      boolean last = from + bytes == source.limit();
      stream.sendData(
          command.id, from, source.slice(from, bytes), (last ? 4 : 0) | (last && success ? 8 : 0));
    }
    if (success) {
      commands.remove(command.id);
    } else {
      complete(command, 0, 0, now);
    }
  }

  /** Ends a command. */
  void complete(SoftCommand command, int status, long result, long now) {
    commands.remove(command.id);
    completion(command.id, status, result);
  }

  void completion(int id, int status, long result) {
    var pdu = stream.shortPdu(5);
    pdu.putLong(8, result);
    pdu.putShort(16, (short) (++heads % Math.max(entries, 1)));
    pdu.putShort(18, (short) Math.max(queue, 0));
    pdu.putShort(20, (short) id);
    pdu.putShort(22, (short) (status << 1));
    stream.send(pdu);
  }

  private void violation(int reason, int information, String what) {
    target.violation("queue " + queue + ": " + what);
    stream.terminate(reason, information);
  }

  /** Whether a rule says that it goes on otherwise. */
  boolean act(Stage stage, SoftCommand command, long now) {
    var rule = target.meets(stage, queue);
    if (rule == null) {
      return false;
    }
    switch (rule.action()) {
      case STALL -> stream.stall();
      case DROP -> stream.end(true);
      case CLOSE -> stream.close();
      case TERM -> stream.terminate(rule.value(), 0);
      case FORGET -> {}
      case STATUS -> complete(command, rule.value(), 0, now);
      case UNKNOWN_PDU -> stream.put(SoftStream.pdu(0x42, 0, 24, 24));
      case BAD_LENGTH -> stream.put(SoftStream.pdu(5, stream.headerDigest() ? 1 : 0, 24, 25));
      case STRAY_COMPLETION -> completion(0xfff, 0, 0);
      case BAD_R2T -> request(command, command.length, 512);
      case BAD_DATA_OFFSET ->
          stream.sendData(
              command.id, 512, ByteBuffer.allocate(command.length), stream.headerDigest() ? 1 : 0);
      case SHORT_DATA -> {
        stream.sendData(command.id, 0, ByteBuffer.allocate(command.length / 2), 4);
        completion(command.id, 0, 0);
      }
      case BAD_HEADER_DIGEST -> {
        stream.spoilHeader();
        return false;
      }
      case BAD_DATA_DIGEST -> {
        stream.spoilData();
        return false;
      }
      case TELL -> {
        return false;
      }
    }
    stream.push();
    return true;
  }
}
