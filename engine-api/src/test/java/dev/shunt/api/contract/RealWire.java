package dev.shunt.api.contract;

import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** A real socket. */
final class RealWire implements Wire {
  private static final int VIEWS = 8;

  private final SocketChannel channel;
  private final SelectionKey key;
  private final InetSocketAddress remote;
  private WireHandler handler;
  private final MemorySegment[] seen = new MemorySegment[VIEWS];
  private final ByteBuffer[] views = new ByteBuffer[VIEWS];
  private int next;
  private IOException refused;
  private int ops = SelectionKey.OP_READ;
  private boolean connected;
  private boolean closed;

  RealWire(
      SocketChannel channel,
      SelectionKey key,
      WireHandler handler,
      InetSocketAddress remote,
      boolean connected) {
    this.channel = channel;
    this.key = key;
    this.handler = handler;
    this.remote = remote;
    this.connected = connected;
  }

  void handler(WireHandler owner) {
    handler = owner;
  }

  /** Whether it was not refused at once. */
  boolean begin() {
    try {
      channel.connect(remote);
    } catch (IOException e) {
      refused = e;
    }
    return refused == null;
  }

  void ready(int ready, long now) {
    if (!connected) {
      if (!closed) {
        finish(now);
      }
      return;
    }
    try {
      if ((ready & SelectionKey.OP_READ) != 0 && !closed) {
        handler.readable(this, now);
      }
      if ((ready & SelectionKey.OP_WRITE) != 0 && !closed) {
        handler.writable(this, now);
      }
    } catch (WireException broken) {
      abort();
      handler.failed(this, broken, now);
    }
  }

  private void finish(long now) {
    try {
      if (refused != null) {
        throw refused;
      }
      if (!channel.finishConnect()) {
        return;
      }
    } catch (IOException e) {
      close();
      handler.failed(this, new WireException("cannot connect to " + remote, e), now);
      return;
    }
    connected = true;
    key.interestOps(ops);
    handler.connected(this, now);
  }

  private ByteBuffer view(MemorySegment segment, long offset, long length) {
    int most = (int) Math.min(length, 1 << 30);
    if (segment.byteSize() > Integer.MAX_VALUE) {
      return segment.asSlice(offset, most).asByteBuffer();
    }
    var view = cached(segment).clear();
    return view.limit((int) offset + most).position((int) offset);
  }

  private ByteBuffer cached(MemorySegment segment) {
    for (int i = 0; i < VIEWS; i++) {
      if (seen[i] == segment) {
        return views[i];
      }
    }
    next = (next + 1) % VIEWS;
    seen[next] = segment;
    views[next] = segment.asByteBuffer();
    return views[next];
  }

  @Override
  public long read(MemorySegment into, long offset, long length) {
    try {
      return channel.read(view(into, offset, length));
    } catch (IOException e) {
      throw new WireException("the stream to " + remote + " broke", e);
    }
  }

  @Override
  public long write(MemorySegment from, long offset, long length) {
    try {
      return channel.write(view(from, offset, length));
    } catch (IOException e) {
      throw new WireException("the stream to " + remote + " broke", e);
    }
  }

  @Override
  public void interest(boolean read, boolean write) {
    ops = (read ? SelectionKey.OP_READ : 0) | (write ? SelectionKey.OP_WRITE : 0);
    if (connected && key.isValid()) {
      key.interestOps(ops);
    }
  }

  @Override
  public InetSocketAddress local() {
    try {
      return (InetSocketAddress) channel.getLocalAddress();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public InetSocketAddress remote() {
    return remote;
  }

  @Override
  public void close() {
    closed = true;
    RealLoop.shut(channel);
  }

  @Override
  public void abort() {
    if (!closed && connected) {
      try {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    close();
  }
}
