package dev.shunt.runtime.control;

import dev.shunt.api.spi.Supervisor.Timer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** The calls that have not ended. On the control thread. */
final class OpenCalls {
  /** So often the control thread has a turn at least while there is one. */
  private static final long TICK = 250_000_000L;

  private final ControlService service;
  private final LinkedHashSet<Call> calls = new LinkedHashSet<>();
  private Timer tick;

  OpenCalls(ControlService service) {
    this.service = service;
  }

  void add(Call call) {
    calls.add(call);
    tick();
  }

  /** A turn at times, while somebody waits: so it is seen when this process stood still. */
  private void tick() {
    if (tick == null && !calls.isEmpty()) {
      tick =
          service.at(
              service.now() + TICK,
              () -> {
                tick = null;
                tick();
              });
    }
  }

  /** One of them has its end; nothing of it is left anywhere. */
  void end(Call call) {
    calls.remove(call);
    service.ended();
    if (call.alarm != null) {
      call.alarm.cancel();
    }
    if (call.waitingIn != null) {
      call.waitingIn.waiting.remove(call);
      call.waitingIn = null;
    }
    call.outbound = null;
  }

  List<Call> all() {
    return new ArrayList<>(calls);
  }
}
