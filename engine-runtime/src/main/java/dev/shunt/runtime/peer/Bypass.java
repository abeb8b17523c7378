package dev.shunt.runtime.peer;

import dev.shunt.runtime.memory.RegisteredBuffer;
import dev.shunt.runtime.transfer.Detour;
import dev.shunt.runtime.transfer.core.RequestState;
import java.util.Optional;

/** The ways to a remote around one of them. */
final class Bypass implements Detour {
  private final RemoteState remote;
  private final int around;

  /**
   * Around one way.
   *
   * @param around its place among all
   */
  Bypass(RemoteState remote, int around) {
    this.remote = remote;
    this.around = around;
  }

  @Override
  public int left(RequestState request) {
    int left = 0;
    for (int i = 0; i < remote.count(); i++) {
      if (i != around
          && remote.way(i).host().anyRail()
          && (request == null || turn(request, i) != null)) {
        left++;
      }
    }
    return left;
  }

  @Override
  public boolean good() {
    for (int i = 0; i < remote.count(); i++) {
      var way = remote.way(i);
      if (i != around && way.host().anyRail() && way.route().standing().good()) {
        return true;
      }
    }
    return false;
  }

  /** One of which nothing bad is known, if there is one. */
  @Override
  public Optional<Turn> next(RequestState request) {
    Turn second = null;
    for (int i = 0; i < remote.count(); i++) {
      var turn = i == around ? null : turn(request, i);
      if (turn != null && turn.route().standing().good() && remote.way(i).host().anyRail()) {
        return Optional.of(turn);
      }
      second = second == null ? turn : second;
    }
    return Optional.ofNullable(second);
  }

  @Override
  public long[] keys(RequestState request) {
    var view = remote.view();
    int buffer = view.covering(request.remoteAddress(), request.length());
    if (buffer < 0) {
      return null;
    }
    var access = view.buffers().get(buffer).access();
    return (request.write() ? access.writable() : access.readable())
        ? view.keys(buffer, around)
        : null;
  }

  private Turn turn(RequestState request, int place) {
    var way = remote.way(place);
    if (request.wentBy(place) || !RemoteState.carries(way, request.write())) {
      return null;
    }
    var view = remote.view();
    int buffer = view.covering(request.remoteAddress(), request.length());
    var remoteKeys = buffer < 0 ? null : view.keys(buffer, place);
    if (remoteKeys == null || !(request.hold() instanceof RegisteredBuffer local)) {
      return null;
    }
    var host = way.host();
    var localKeys = local.keys(host.index());
    var localRails = host.order(local.location());
    var remoteRails = view.order(buffer, place);
    return localKeys.length == 0 || RemoteState.none(localRails) || RemoteState.none(remoteRails)
        ? null
        : new Turn(way.lane(), way.route(), place, localRails, remoteRails, localKeys, remoteKeys);
  }
}
