package dev.shunt.transport.rdma;

import dev.shunt.api.spi.TransportContext;
import java.util.List;

/** What the repair of rails has to do with. The supervisor's. */
interface Workshop {
  TransportContext context();

  RdmaSettings settings();

  RailFinder found();

  Endpoints endpoints();

  PassiveEndpoints accepted();

  Registrations registrations();

  Remnants remnants();

  List<RdmaLane> lanes();

  RailWatch watch();

  /**
   * Opens a device; on any thread.
   *
   * @throws dev.shunt.transport.rdma.verbs.VerbsException if it cannot be had
   */
  RdmaDevice open(String name);

  /** A rail has another context: it is to be watched, and its keys are others. */
  void renewed(RdmaRail rail, RdmaDevice device);
}
