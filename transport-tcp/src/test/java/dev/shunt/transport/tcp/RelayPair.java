package dev.shunt.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/**
 * One connection through a {@link RelayPath}. What came from the client is kept here, as a network
 * would keep it, also when the client is gone.
 */
final class RelayPair {
  private static final int PIECE = 16 << 10;
  private static final long MOST = 64L << 20;

  private final SocketChannel client;
  private final SocketChannel server;
  private final ArrayDeque<ByteBuffer> there = new ArrayDeque<>();
  private final ByteBuffer back = ByteBuffer.allocate(PIECE).limit(0);
  private long kept;
  private End clientEnd = End.OPEN;
  private boolean over;

  private enum End {
    OPEN,
    FINISHED,
    RESET
  }

  RelayPair(SocketChannel client, InetSocketAddress to) throws IOException {
    this.client = client;
    client.configureBlocking(false);
    client.setOption(StandardSocketOptions.TCP_NODELAY, true);
    server = SocketChannel.open();
    server.configureBlocking(false);
    server.setOption(StandardSocketOptions.TCP_NODELAY, true);
    server.connect(to);
  }

  boolean over() {
    return over;
  }

  /** Moves what can be moved; answers how much. */
  int work(boolean held) {
    int done = 0;
    try {
      if (!server.finishConnect()) {
        return 0;
      }
    } catch (IOException refused) {
      cut();
      return 1;
    }
    done += hear();
    if (!held) {
      done += forward();
    }
    return done + (over ? 0 : backward());
  }

  private int hear() {
    if (clientEnd != End.OPEN || kept > MOST) {
      return 0;
    }
    var piece = ByteBuffer.allocate(PIECE);
    try {
      int count = client.read(piece);
      if (count > 0) {
        there.add(piece.flip());
        kept += count;
      } else if (count < 0) {
        clientEnd = End.FINISHED;
      }
      return count == 0 ? 0 : 1;
    } catch (IOException reset) {
      clientEnd = End.RESET;
      return 1;
    }
  }

  private int forward() {
    var piece = there.peek();
    try {
      if (piece != null) {
        int count = server.write(piece);
        kept -= count;
        if (!piece.hasRemaining()) {
          there.remove();
        }
        return count > 0 ? 1 : 0;
      }
      if (clientEnd == End.FINISHED) {
        end(false);
      } else if (clientEnd == End.RESET) {
        cut();
      }
      return over ? 1 : 0;
    } catch (IOException gone) {
      cut();
      return 1;
    }
  }

  private int backward() {
    try {
      if (!back.hasRemaining()) {
        int count = server.read(back.clear());
        back.flip();
        if (count < 0) {
          end(clientEnd != End.OPEN);
          return 1;
        }
      }
      return back.hasRemaining() && clientEnd != End.RESET && client.write(back) > 0 ? 1 : 0;
    } catch (IOException gone) {
      cut();
      return 1;
    }
  }

  private void end(boolean abruptly) throws IOException {
    over = true;
    for (var channel : new SocketChannel[] {client, server}) {
      if (abruptly) {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      }
      channel.close();
    }
  }

  /** Ends it at once, for both sides. */
  void cut() {
    try {
      end(true);
    } catch (IOException gone) {
      over = true;
    }
  }
}
