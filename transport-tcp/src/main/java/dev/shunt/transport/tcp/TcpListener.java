package dev.shunt.transport.tcp;

import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireHandler;
import dev.shunt.api.spi.WireServer;
import dev.shunt.transport.tcp.core.Admission;

/** What one rail has accepted, within its bounds. Owned by its lane. */
final class TcpListener implements WireServer.Handler {
  private final TcpLane lane;
  private final Admission admission;
  private final TcpSettings settings;
  private int handshakes;
  private int streams;
  private boolean held;

  TcpListener(TcpLane lane, Admission admission, TcpSettings settings) {
    this.lane = lane;
    this.admission = admission;
    this.settings = settings;
  }

  @Override
  public WireHandler accepted(Wire wire, long now) {
    var inbound = new TcpInbound(wire, lane, this, now + settings.handshakeTimeout());
    if (handshakes >= settings.maxHandshakes()) {
      wire.abort();
    } else {
      handshakes++;
      lane.adopt(inbound);
    }
    return inbound;
  }

  Admission admission() {
    return admission;
  }

  boolean full() {
    return streams >= settings.maxStreams();
  }

  boolean held() {
    return held;
  }

  void hold(boolean hold) {
    held = hold;
  }

  void serving() {
    handshakes--;
    streams++;
  }

  void ended(boolean served) {
    if (served) {
      streams--;
    } else {
      handshakes--;
    }
  }
}
