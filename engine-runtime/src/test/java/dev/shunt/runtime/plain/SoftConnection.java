package dev.shunt.runtime.plain;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/** One connection of a {@link SoftTent}: requests in, answers out, in their order. */
final class SoftConnection implements WireHandler {
  private static final int STAGING = 64 << 10;

  private final SoftTent server;
  private final Wire wire;
  private final MemorySegment staging = Arena.ofAuto().allocate(STAGING);
  private byte[] in = new byte[4096];
  private int arrived;
  private byte[] out = new byte[0];
  private int sent;
  private boolean ends;
  private boolean over;

  SoftConnection(SoftTent server, Wire wire) {
    this.server = server;
    this.wire = wire;
  }

  @Override
  public void connected(Wire ignored, long now) {
    throw new IllegalStateException("it was accepted");
  }

  @Override
  public void readable(Wire ignored, long now) {
    try {
      while (!over) {
        long count = wire.read(staging, 0, STAGING);
        if (count < 0) {
          abort();
          return;
        }
        if (count == 0) {
          break;
        }
        take((int) count);
      }
      drain();
    } catch (WireException broken) {
      abort();
    }
  }

  private void take(int count) {
    if (arrived + count > in.length) {
      in = Arrays.copyOf(in, Math.max(2 * in.length, arrived + count));
    }
    MemorySegment.copy(staging, ValueLayout.JAVA_BYTE, 0, in, arrived, count);
    arrived += count;
    int used = 0;
    while (!over && !ends) {
      int length = whole(used);
      if (length == 0) {
        break;
      }
      request(ByteBuffer.wrap(in, used, length).slice().order(ByteOrder.LITTLE_ENDIAN));
      used += length;
    }
    System.arraycopy(in, used, in, 0, arrived - used);
    arrived -= used;
  }

  /** How long the request that begins there is; 0 if it is not all there. */
  private int whole(int at) {
    if (arrived - at < 20) {
      return 0;
    }
    var head = ByteBuffer.wrap(in).order(ByteOrder.LITTLE_ENDIAN);
    long length = 20L + head.getInt(at + 12) + head.getInt(at + 16);
    return arrived - at < length ? 0 : (int) length;
  }

  private void request(ByteBuffer request) {
    if (request.get(0) != 0x15 || request.getInt(8) != 0xff74660d) {
      abort();
      return;
    }
    int sequence = request.getInt(4);
    int body = request.getInt(12);
    int function = request.getInt(20 + body - 4);
    var attachment = new byte[request.getInt(16)];
    request.get(20 + body, attachment);
    var range = ByteBuffer.wrap(attachment).order(ByteOrder.LITTLE_ENDIAN);
    boolean data = attachment.length >= 16;
    long address = data ? range.getLong(0) : 0;
    long length = data ? range.getLong(8) : 0;
    var ill = server.ill(function);
    if (ill == SoftTent.Ill.LATE && function == SoftTent.SEND) {
      server.later(attachment, address, length);
      end(false);
      return;
    }
    if (ill == SoftTent.Ill.CLOSED || ill == SoftTent.Ill.LATE || ill == SoftTent.Ill.RESET) {
      end(ill == SoftTent.Ill.RESET);
      return;
    }
    var answer =
        ill == SoftTent.Ill.REFUSED
            ? server.noReason(length).getBytes(UTF_8)
            : server.serve(function, attachment, address, length);
    if (ill == null || ill == SoftTent.Ill.REFUSED) {
      send(reply(0, sequence, nothing(), answer));
    } else {
      badly(ill, sequence, answer);
    }
  }

  private void badly(SoftTent.Ill ill, int sequence, byte[] answer) {
    var good = reply(0, sequence, nothing(), answer);
    switch (ill) {
      case SERVED_THEN_CLOSED -> end(false);
      case HALF -> {
        send(Arrays.copyOf(good, 8));
        ends = true;
      }
      case HALF_DATA -> {
        send(Arrays.copyOf(good, good.length - Math.max(1, answer.length / 2)));
        ends = true;
      }
      case ERROR ->
          send(reply(10, sequence, HexFormat.of().parseHex("76facf9d036f6820"), new byte[0]));
      case WRONG_SEQUENCE -> send(reply(0, sequence + 7, nothing(), answer));
      case BAD_MAGIC -> {
        good[0] = 0x16;
        send(good);
      }
      case HUGE -> {
        var head = ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(8, -1).putInt(12, -1);
        send(good);
      }
      case EMPTY_BODY -> send(reply(0, sequence, new byte[0], answer));
      case WRONG_BODY -> send(reply(0, sequence, new byte[4], answer));
      case SHORT -> send(reply(0, sequence, nothing(), Arrays.copyOf(answer, answer.length / 2)));
      case SILENT -> {}
      default -> throw new IllegalStateException(ill.toString());
    }
  }

  private byte[] nothing() {
    return HexFormat.of().parseHex(server.debug() ? "ebcf018904fa00" : "eacf0189");
  }

  private static byte[] reply(int error, int sequence, byte[] body, byte[] attachment) {
    var reply = ByteBuffer.allocate(16 + body.length + attachment.length);
    reply.order(ByteOrder.LITTLE_ENDIAN).put((byte) 0x15).put((byte) 0).put((byte) error);
    reply.put((byte) 0).putInt(sequence).putInt(body.length).putInt(attachment.length);
    return reply.put(body).put(attachment).array();
  }

  private void send(byte[] bytes) {
    int waiting = out.length - sent;
    out = Arrays.copyOfRange(out, sent, out.length + bytes.length);
    System.arraycopy(bytes, 0, out, waiting, bytes.length);
    sent = 0;
  }

  private void drain() {
    while (!over && sent < out.length) {
      int count = Math.min(STAGING, out.length - sent);
      MemorySegment.copy(out, sent, staging, ValueLayout.JAVA_BYTE, 0, count);
      long taken = wire.write(staging, 0, count);
      if (taken == 0) {
        break;
      }
      sent += (int) taken;
    }
    if (!over) {
      wire.interest(true, sent < out.length);
      if (ends && sent == out.length) {
        end(false);
      }
    }
  }

  @Override
  public void writable(Wire ignored, long now) {
    try {
      drain();
    } catch (WireException broken) {
      abort();
    }
  }

  @Override
  public void failed(Wire ignored, WireException cause, long now) {
    abort();
  }

  void abort() {
    end(true);
  }

  private void end(boolean reset) {
    if (!over) {
      over = true;
      server.gone(this);
      if (reset) {
        wire.abort();
      } else {
        wire.close();
      }
    }
  }
}
