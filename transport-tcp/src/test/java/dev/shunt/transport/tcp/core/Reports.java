package dev.shunt.transport.tcp.core;

import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Slice;

/** Marks slices with their ends, and counts. */
final class Reports implements LaneListener {
  long completed;
  long failed;

  @Override
  public void channelUp(ConnectRequest request, Channel channel) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void connectFailed(ConnectRequest request, Fault fault) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void completed(Slice slice) {
    completed++;
    ((Piece) slice).ends++;
  }

  @Override
  public void failed(Slice slice, Fault fault) {
    failed++;
    ((Piece) slice).ends++;
    ((Piece) slice).fault = fault;
  }

  @Override
  public void channelDown(Channel channel, Fault fault) {
    throw new UnsupportedOperationException();
  }
}
