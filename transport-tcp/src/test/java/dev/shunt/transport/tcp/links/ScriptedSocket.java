package dev.shunt.transport.tcp.links;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A kernel that says what a test wants, one datagram after the other. */
final class ScriptedSocket implements RouteSocket {
  final ArrayDeque<byte[]> datagrams = new ArrayDeque<>();
  final List<Integer> asked = new ArrayList<>();

  /** What is told when links, or addresses, are asked for; the end of the list is added. */
  List<byte[]> links = List.of();

  List<byte[]> addresses = List.of();

  /** Flags of the next dump's messages. */
  int dumpFlags = 2;

  boolean silent;
  boolean woken;
  boolean closed;

  static final byte[] DROP = new byte[0];
  static final byte[] FOREIGN = new byte[1];

  @Override
  public void send(byte[] message) {
    var request = ByteBuffer.wrap(message).order(ByteOrder.nativeOrder());
    int type = request.getShort(4);
    int sequence = request.getInt(8);
    asked.add(type);
    if (silent) {
      return;
    }
    var out = new ByteArrayOutputStream();
    for (var entry : type == RouteMessages.GET_LINK ? links : addresses) {
      out.writeBytes(numbered(entry, sequence, dumpFlags));
    }
    datagrams.add(out.toByteArray());
    datagrams.add(numbered(message(3, new byte[4]), sequence, dumpFlags));
    dumpFlags = 2;
  }

  private static byte[] numbered(byte[] message, int sequence, int flags) {
    var copy = message.clone();
    ByteBuffer.wrap(copy)
        .order(ByteOrder.nativeOrder())
        .putShort(6, (short) flags)
        .putInt(8, sequence);
    return copy;
  }

  @Override
  public int receive(byte[] into) {
    var next = datagrams.poll();
    if (next == null) {
      return NOTHING;
    }
    if (next == DROP) {
      return DROPPED;
    }
    if (next == FOREIGN) {
      return 0;
    }
    System.arraycopy(next, 0, into, 0, Math.min(next.length, into.length));
    return next.length;
  }

  @Override
  public boolean await(long nanos) {
    return !datagrams.isEmpty();
  }

  @Override
  public void wake() {
    woken = true;
  }

  @Override
  public void close() {
    closed = true;
  }

  static byte[] message(int type, byte[]... parts) {
    int length = 16;
    for (var part : parts) {
      length += part.length;
    }
    var buffer = ByteBuffer.allocate(length + 3 & ~3).order(ByteOrder.nativeOrder());
    buffer.putInt(length).putShort((short) type).putShort((short) 0).putLong(0);
    for (var part : parts) {
      buffer.put(part);
    }
    return buffer.array();
  }

  static byte[] link(int type, int index, String name, int flags) {
    var info = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
    info.putInt(4, index).putInt(8, flags);
    return message(
        type,
        info.array(),
        attribute(13, new byte[4]),
        attribute(3, (name + "\0").getBytes(StandardCharsets.UTF_8)));
  }

  static byte[] address(int type, int index, byte[] address, int flags) {
    var info = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
    info.put(0, (byte) (address.length == 4 ? 2 : 10)).putInt(4, index);
    var wide = ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(0, flags);
    var peer = new byte[address.length];
    return address.length == 4
        ? message(
            type,
            info.array(),
            attribute(1, peer),
            attribute(2, address),
            attribute(8, wide.array()))
        : message(type, info.array(), attribute(1, address), attribute(8, wide.array()));
  }

  private static byte[] attribute(int type, byte[] content) {
    var buffer = ByteBuffer.allocate(content.length + 4 + 3 & ~3).order(ByteOrder.nativeOrder());
    buffer.putShort((short) (content.length + 4)).putShort((short) type).put(content);
    return buffer.array();
  }
}
