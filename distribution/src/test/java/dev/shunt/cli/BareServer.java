package dev.shunt.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * What a transfer engine is measured against: a peer that does the same with nothing around it. Run
 * with the bytes of its memory, and {@code selector} or {@code blocking}; ends with its input.
 */
final class BareServer {
  private final ByteBuffer memory;
  private final ByteBuffer header = ByteBuffer.allocateDirect(BareFrame.HEADER);
  private final ByteBuffer ack = ByteBuffer.allocateDirect(BareFrame.ACK);
  private final SocketChannel channel;
  private final SelectionKey key;

  private BareServer(ByteBuffer memory, SocketChannel channel, Selector selector)
      throws IOException {
    this.memory = memory;
    this.channel = channel;
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(selector == null);
    this.key = selector == null ? null : channel.register(selector, SelectionKey.OP_READ);
  }

  public static void main(String[] args) throws IOException {
    int bytes = Integer.parseInt(args[0]);
    boolean blocking = args[1].equals("blocking");
    Thread.ofPlatform().daemon().start(BareServer::endWithInput);
    try (var listening = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        var selector = blocking ? null : Selector.open()) {
      System.out.println("ready " + ((InetSocketAddress) listening.getLocalAddress()).getPort());
      var memory = ByteBuffer.allocateDirect(bytes);
      while (true) {
        try (var channel = listening.accept()) {
          new BareServer(memory, channel, selector).serve();
        }
      }
    }
  }

  static void endWithInput() {
    try {
      System.in.transferTo(java.io.OutputStream.nullOutputStream());
    } catch (IOException _) {
      // It ends all the same.
    }
    Runtime.getRuntime().halt(0);
  }

  private void serve() throws IOException {
    while (true) {
      header.clear();
      if (!fill(header)) {
        return;
      }
      header.flip();
      long operation = header.getLong();
      int offset = (int) header.getLong();
      int length = (int) header.getLong();
      var payload = memory.clear().position(offset).limit(offset + length);
      if (operation == BareFrame.WRITE) {
        if (!fill(payload)) {
          return;
        }
        ack.clear();
        drain(ack);
      } else {
        drain(payload);
      }
    }
  }

  private boolean fill(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      int count = channel.read(buffer);
      if (count < 0) {
        return false;
      }
      if (count == 0) {
        await(SelectionKey.OP_READ);
      }
    }
    return true;
  }

  private void drain(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.write(buffer) == 0) {
        await(SelectionKey.OP_WRITE);
      }
    }
  }

  private void await(int operation) throws IOException {
    key.interestOps(operation);
    key.selector().select(_ -> {});
  }
}
