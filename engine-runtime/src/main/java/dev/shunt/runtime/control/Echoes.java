package dev.shunt.runtime.control;

import dev.shunt.api.spi.Fault;
import dev.shunt.runtime.control.core.Functions;
import java.util.HashSet;
import java.util.Set;

/**
 * Asks nodes that were met whether they are there, where nothing was heard of them for a while. On
 * the control thread.
 */
final class Echoes {
  private static final byte[] NOTHING = {};

  /** Looks so often within an interval, so that none is much longer than it should be. */
  private static final int LOOKS = 4;

  private final ControlService service;
  private final PeerWatch watch;
  private final long timeout;
  private final long interval;
  private final Set<String> underWay = new HashSet<>();

  Echoes(ControlService service, PeerWatch watch, long timeout, long interval) {
    this.service = service;
    this.watch = watch;
    this.timeout = timeout;
    this.interval = interval;
  }

  void begin() {
    var now = service.now();
    for (var address : watch.quiet(now - interval)) {
      if (underWay.add(address)) {
        service.call(
            address,
            Functions.PROBE,
            NOTHING,
            now + timeout,
            new CallHandler() {
              @Override
              public void reply(byte[] attachment) {
                underWay.remove(address);
              }

              @Override
              public void failed(Fault fault) {
                // The call itself has marked it, if there was reason to.
                underWay.remove(address);
              }
            });
      }
    }
    service.at(now + Math.max(1, interval / LOOKS), this::begin);
  }
}
