package dev.shunt.transport.nof.testing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The admin commands of a target, and Connect on every queue. */
final class SoftAdmin {
  private final SoftTarget target;
  private final SoftConnection connection;
  private long configuration;

  SoftAdmin(SoftTarget target, SoftConnection connection) {
    this.target = target;
    this.connection = connection;
  }

  void command(ByteBuffer pdu, int opcode, int id, int offset, long now) {
    var command = new SoftCommand(connection, id, opcode, 0, 4096, false);
    if (opcode == 0x7f) {
      int kind = pdu.get(12);
      if (kind == 1) {
        if (!connection.act(Stage.CONNECT, command, now)) {
          connect(pdu, command, offset, now);
        }
      } else if (connection.queue != 0) {
        connection.complete(command, 0x0c, 0, now);
      } else if (!connection.act(Stage.PROPERTY, command, now)) {
        property(pdu, command, kind, now);
      }
    } else if (connection.queue != 0 || !connection.controller.enabled) {
      connection.complete(command, 0x0c, 0, now);
    } else {
      switch (opcode) {
        case 0x06 -> {
          if (!connection.act(Stage.IDENTIFY, command, now)) {
            identify(pdu, command, now);
          }
        }
        case 0x09, 0x0a -> {
          if (!connection.act(Stage.FEATURES, command, now)) {
            feature(pdu, command, opcode == 0x09, now);
          }
        }
        case 0x18 -> {
          target.kept();
          if (!connection.act(Stage.KEEP_ALIVE, command, now)) {
            connection.controller.lastKeepAlive = now;
            connection.complete(command, 0, 0, now);
          }
        }
        default -> connection.complete(command, 1, 0, now);
      }
    }
  }

  private void connect(ByteBuffer pdu, SoftCommand command, int offset, long now) {
    int queue = pdu.getShort(50) & 0xffff;
    int entries = (pdu.getShort(52) & 0xffff) + 1;
    int number = pdu.getShort(offset + 16) & 0xffff;
    var options = target.options();
    if (connection.live()) {
      connection.complete(command, 0x0c, 0, now);
    } else if (!text(pdu, offset + 256).equals(options.subsystem)) {
      connection.complete(command, 0x4182, 0, now);
    } else if (!text(pdu, offset + 512).startsWith("nqn.")
        || queue > 0 && entries > options.entries) {
      connection.complete(command, 0x4182, 0, now);
    } else if (queue == 0) {
      connection.queue = 0;
      connection.entries = entries;
      connection.controller = target.admit((pdu.getInt(56) & 0xffff_ffffL) * 1_000_000, now);
      connection.controller.queues.put(0, connection);
      connection.complete(command, 0, connection.controller.number, now);
    } else {
      var controller = target.controller(number);
      if (controller == null || !controller.enabled || queue > options.queues) {
        connection.complete(command, 0x4182, 0, now);
      } else if (controller.queues.containsKey(queue)) {
        connection.complete(command, 0x0c, 0, now);
      } else {
        connection.queue = queue;
        connection.entries = entries;
        connection.controller = controller;
        controller.queues.put(queue, connection);
        connection.complete(command, 0, number, now);
      }
    }
  }

  private static String text(ByteBuffer from, int at) {
    var text = new StringBuilder();
    for (int i = at; from.get(i) != 0; i++) {
      text.append((char) from.get(i));
    }
    return text.toString();
  }

  private void property(ByteBuffer pdu, SoftCommand command, int kind, long now) {
    int property = pdu.getInt(52);
    var controller = connection.controller;
    if (kind == 0 && property == 0x14) {
      configuration = pdu.getLong(56);
      controller.enabled = (configuration & 1) != 0;
      if ((configuration & 0xc000) != 0) {
        target.events().add("controller " + controller.number + " is shut down");
      }
      connection.complete(command, 0, 0, now);
      return;
    }
    long entries = target.options().entries - 1;
    boolean ready = controller.enabled && controller.polls >= target.options().readyPolls;
    if (property == 0x1c && controller.enabled) {
      controller.polls++;
    }
    long value =
        switch (property) {
          case 0x00 -> entries | 1 << 16 | 30L << 24 | 1L << 37;
          case 0x08 -> 0x20000;
          case 0x14 -> configuration;
          case 0x1c -> ready ? 1 : 0;
          default -> -1;
        };
    connection.complete(command, kind != 4 || value < 0 ? 2 : 0, Math.max(value, 0), now);
  }

  private void identify(ByteBuffer pdu, SoftCommand command, long now) {
    var options = target.options();
    int kind = pdu.get(48) & 0xff;
    boolean known = pdu.getInt(12) == options.namespace;
    var data = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    if (kind == 1) {
      data.put(24, pad("Soft target", 40));
      data.put(77, (byte) options.mdts);
      data.putShort(78, (short) connection.controller.number);
      data.putInt(1792, (64 + options.inCapsule) / 16);
      data.putInt(1796, 1);
    } else if (kind == 0 && known) {
      data.putLong(0, options.blocks);
      data.putLong(8, options.blocks);
      data.put(104, options.nguid);
      data.putInt(128, Integer.numberOfTrailingZeros(options.blockSize) << 16);
    } else if (kind == 3 && known && options.descriptors) {
      data.put(0, (byte) 2).put(1, (byte) 16).put(4, options.nguid);
      data.put(20, (byte) 3).put(21, (byte) 16).put(24, options.uuid);
    } else if (kind != 0) {
      connection.complete(command, 2, 0, now);
      return;
    }
    connection.answer(command, data, 4096, options.success, now);
  }

  private static byte[] pad(String text, int length) {
    var bytes = new byte[length];
    java.util.Arrays.fill(bytes, (byte) ' ');
    var name = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(name, 0, bytes, 0, name.length);
    return bytes;
  }

  private void feature(ByteBuffer pdu, SoftCommand command, boolean set, long now) {
    int feature = pdu.get(48) & 0xff;
    if (feature == 0x07 && set) {
      int most = target.options().queues - 1;
      int value = pdu.getInt(52);
      long submission = Math.min(value & 0xffff, most);
      long completion = Math.min(value >>> 16 & 0xffff, most);
      connection.complete(command, 0, completion << 16 | submission, now);
    } else if (feature == 0x0f && !set) {
      connection.complete(command, 0, connection.controller.keepAlive / 1_000_000, now);
    } else {
      connection.complete(command, 2, 0, now);
    }
  }
}
