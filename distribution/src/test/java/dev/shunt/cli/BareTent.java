package dev.shunt.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * A plain TENT server as fast as one can be: it takes frames apart, moves the bytes between the
 * socket and one buffer, and answers. Run with the bytes of its memory; prints {@code ready NAME};
 * ends with its input.
 */
final class BareTent {
  private static final int DESCRIBE = 1;
  private static final int SEND = 3;
  private static final int RECV = 4;
  private static final int HEAD = 28;
  private static final int RANGE = 16;
  private static final long BASE = 0x7200_0000_0000L;
  private static final byte[] NOTHING = {(byte) 0xea, (byte) 0xcf, 1, (byte) 0x89};

  private final ByteBuffer memory;
  private final SocketChannel channel;
  private final byte[] descriptor;
  private final ByteBuffer head = direct(HEAD);
  private final ByteBuffer range = direct(RANGE);
  private final ByteBuffer reply = direct(16 + NOTHING.length);
  private final ByteBuffer dropped = direct(4096);

  private BareTent(ByteBuffer memory, SocketChannel channel, byte[] descriptor) throws IOException {
    this.memory = memory.duplicate();
    this.channel = channel;
    this.descriptor = descriptor;
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  private static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  public static void main(String[] args) throws IOException {
    int bytes = Integer.parseInt(args[0]);
    Thread.ofPlatform().daemon().start(BareServer::endWithInput);
    try (var listening = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
      var name = "127.0.0.1:" + ((InetSocketAddress) listening.getLocalAddress()).getPort();
      var memory = ByteBuffer.allocateDirect(bytes);
      var descriptor = describe(name, bytes).getBytes(UTF_8);
      System.out.println("ready " + name);
      while (true) {
        var channel = listening.accept();
        Thread.ofPlatform().daemon().start(() -> serve(memory, channel, descriptor));
      }
    }
  }

  private static void serve(ByteBuffer memory, SocketChannel channel, byte[] descriptor) {
    try (channel) {
      var connection = new BareTent(memory, channel, descriptor);
      while (connection.one()) {
        // On to the next request.
      }
    } catch (IOException _) {
      // The peer went away.
    }
  }

  private static String describe(String name, int bytes) {
    return """
        {"detail":{"buffers":[{"addr":%d,"internal":false,"length":%d,"location":"cpu:0",\
        "mnnvl_handle":"","regions":[],"rkey":[],"shm_path":"","transport_attrs":[],\
        "transports":[7]}],"device_attrs":{},"devices":[],"transport_attrs":[]},\
        "machine_id":"bare","name":"%s","rpc_server_addr":"%s","type":"memory"}"""
        .formatted(BASE, bytes, name, name);
  }

  private boolean one() throws IOException {
    head.clear();
    if (!fill(head)) {
      return false;
    }
    int sequence = head.getInt(4);
    int attached = head.getInt(16);
    switch (head.getInt(24)) {
      case DESCRIBE -> answer(sequence, ByteBuffer.wrap(descriptor));
      case SEND -> {
        fill(payload());
        answer(sequence, ByteBuffer.allocate(0));
      }
      case RECV -> answer(sequence, payload());
      default -> {
        fill(dropped.clear().limit(attached));
        answer(sequence, ByteBuffer.allocate(0));
      }
    }
    return true;
  }

  /** The range that a request names. */
  private ByteBuffer payload() throws IOException {
    fill(range.clear());
    int at = (int) (range.getLong(0) - BASE);
    return memory.clear().position(at).limit(at + (int) range.getLong(8));
  }

  private void answer(int sequence, ByteBuffer attachment) throws IOException {
    reply.clear();
    reply.putInt(0x15).putInt(sequence).putInt(NOTHING.length).putInt(attachment.remaining());
    reply.put(NOTHING).flip();
    var parts = new ByteBuffer[] {reply, attachment};
    while (attachment.hasRemaining() || reply.hasRemaining()) {
      channel.write(parts);
    }
  }

  private boolean fill(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        return false;
      }
    }
    return true;
  }
}
