package dev.shunt.runtime.transport;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Transport;
import dev.shunt.runtime.transfer.Lane;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes what lanes ask of connections to the transport; each lane gets an answer. Any thread. */
final class Connects {
  private static final Logger LOG = LoggerFactory.getLogger(Connects.class);

  private final String id;
  private final Transport transport;
  private final SupervisorAgent supervisor;
  private final List<Lane> lanes;

  Connects(String id, Transport transport, SupervisorAgent supervisor, List<Lane> lanes) {
    this.id = id;
    this.transport = transport;
    this.supervisor = supervisor;
    this.lanes = lanes;
  }

  void ask(ConnectRequest request) {
    if (!supervisor.execute(() -> guarded(request))) {
      refuse(request, FailureCode.CLOSED, "the engine is closing");
    }
  }

  /** A transport that throws must not leave a lane waiting for an answer. */
  private void guarded(ConnectRequest request) {
    try {
      transport.connect(request);
    } catch (RuntimeException thrown) {
      LOG.error("{} threw when asked to connect", id, thrown);
      refuse(request, FailureCode.INTERNAL, id + " threw " + thrown);
    }
  }

  private void refuse(ConnectRequest request, FailureCode code, String text) {
    var lane = lanes.get(request.lane());
    var fault = new Fault(Fault.Blame.LOCAL, code, Fault.Effect.NONE, text);
    lane.execute(() -> lane.listener().connectFailed(request, fault));
  }
}
