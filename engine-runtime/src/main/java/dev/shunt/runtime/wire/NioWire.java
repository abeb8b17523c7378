package dev.shunt.runtime.wire;

import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** A non-blocking socket. */
final class NioWire implements Wire {
  private final NioWireLoop loop;
  private final SocketChannel channel;
  private final SelectionKey key;
  private final InetSocketAddress remote;
  private WireHandler handler;
  private IOException refused;
  private InetSocketAddress local;
  private int ops = SelectionKey.OP_READ;
  private boolean connected;
  private boolean closed;

  NioWire(
      NioWireLoop loop,
      SocketChannel channel,
      SelectionKey key,
      WireHandler handler,
      InetSocketAddress remote) {
    this.loop = loop;
    this.channel = channel;
    this.key = key;
    this.handler = handler;
    this.remote = remote;
    this.connected = handler == null;
  }

  void handler(WireHandler accepting) {
    handler = accepting;
  }

  void connecting(IOException known) {
    refused = known;
    if (known != null) {
      loop.later(this);
    }
  }

  void ready(int ready, long now) {
    if ((ready & SelectionKey.OP_CONNECT) != 0) {
      finishConnect(now);
      return;
    }
    if ((ready & SelectionKey.OP_READ) != 0 && !closed) {
      handler.readable(this, now);
    }
    if ((ready & SelectionKey.OP_WRITE) != 0 && !closed) {
      handler.writable(this, now);
    }
  }

  void finishConnect(long now) {
    try {
      if (refused != null) {
        throw refused;
      }
      if (!channel.finishConnect()) {
        return;
      }
    } catch (IOException e) {
      close();
      handler.failed(
          this, new WireException("cannot connect to " + remote + ": " + e.getMessage(), e), now);
      return;
    }
    connected = true;
    key.interestOps(ops);
    handler.connected(this, now);
  }

  void broken(RuntimeException thrown, long now) {
    if (closed) {
      return;
    }
    abort();
    handler.failed(this, new WireException("the handler of " + this + " threw " + thrown), now);
  }

  @Override
  public long read(MemorySegment into, long offset, long length) {
    try {
      return channel.read(loop.views().view(into, offset, length));
    } catch (IOException e) {
      throw new WireException(this + " broke: " + e.getMessage(), e);
    }
  }

  @Override
  public long write(MemorySegment from, long offset, long length) {
    try {
      return channel.write(loop.views().view(from, offset, length));
    } catch (IOException e) {
      throw new WireException(this + " broke: " + e.getMessage(), e);
    }
  }

  @Override
  public void interest(boolean read, boolean write) {
    var wanted = (read ? SelectionKey.OP_READ : 0) | (write ? SelectionKey.OP_WRITE : 0);
    if (wanted == ops) {
      return;
    }
    ops = wanted;
    if (connected && key.isValid()) {
      key.interestOps(wanted);
      loop.wantsChanged();
    }
  }

  @Override
  public InetSocketAddress local() {
    if (local == null) {
      try {
        local = (InetSocketAddress) channel.getLocalAddress();
      } catch (IOException e) {
        throw new WireException("the local address is not to be had", e);
      }
    }
    return local;
  }

  @Override
  public InetSocketAddress remote() {
    return remote;
  }

  @Override
  public void close() {
    closed = true;
    NioWireLoop.closeQuietly(channel);
  }

  @Override
  public void abort() {
    if (!closed) {
      try {
        // A linger of 0 turns the close into a reset, which drops what waits to be sent.
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      } catch (IOException | RuntimeException e) {
        NioWireLoop.debug(this, e);
      }
    }
    close();
  }

  @Override
  public String toString() {
    return "the stream to " + remote;
  }
}
