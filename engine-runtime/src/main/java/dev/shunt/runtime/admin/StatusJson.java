package dev.shunt.runtime.admin;

import dev.shunt.api.Status;
import dev.shunt.runtime.json.JsonWriter;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/**
 * Writes a status as the package documentation describes it. Keys are added at times; none is
 * renamed or taken away.
 */
public final class StatusJson {
  private final JsonGenerator json;

  private StatusJson(JsonGenerator json) {
    this.json = json;
  }

  /** In UTF-8. */
  public static byte[] bytes(Status status) {
    return JsonWriter.bytes(json -> new StatusJson(json).write(status));
  }

  /** One rail, in UTF-8: as in a status, with its transport. */
  static byte[] rail(String transport, Status.RailStatus rail) {
    return JsonWriter.bytes(
        json -> {
          json.writeStartObject();
          json.writeStringProperty("transport", transport);
          new StatusJson(json).fields(rail);
          json.writeEndObject();
        });
  }

  private void write(Status status) {
    json.writeStartObject();
    json.writeStringProperty("name", status.name());
    json.writeStringProperty("generation", Long.toUnsignedString(status.generation()));
    json.writeStringProperty("state", status.state().name());
    json.writeStringProperty("started", status.started().toString());
    list("control", status.control(), json::writeString);
    list("stuck", status.stuck(), json::writeString);
    list("transports", status.transports(), this::transport);
    list("peers", status.peers(), this::peer);
    memory(status.memory());
    queues(status.queues());
    list("plugins", status.plugins(), this::plugin);
    json.writeObjectPropertyStart("counters");
    status.counters().forEach(json::writeNumberProperty);
    json.writeEndObject();
    json.writeEndObject();
  }

  private <T> void list(String name, Iterable<T> values, Consumer<T> each) {
    json.writeArrayPropertyStart(name);
    values.forEach(each);
    json.writeEndArray();
  }

  private void time(String name, Optional<Instant> time) {
    time.ifPresent(t -> json.writeStringProperty(name, t.toString()));
  }

  private void transport(Status.TransportStatus transport) {
    json.writeStartObject();
    json.writeStringProperty("id", transport.id());
    json.writeNumberProperty("lanes", transport.lanes());
    var traffic = transport.traffic();
    json.writeNumberProperty("outbound_bytes", traffic.outboundBytes());
    json.writeNumberProperty("outbound_requests", traffic.outboundRequests());
    json.writeNumberProperty("failed_requests", traffic.failedRequests());
    json.writeNumberProperty("inbound_bytes", traffic.inboundBytes());
    json.writeNumberProperty("inbound_requests", traffic.inboundRequests());
    list("rails", transport.rails(), this::rail);
    list("details", transport.details(), this::detail);
    json.writeEndObject();
  }

  private void detail(Status.Detail detail) {
    json.writeStartObject();
    json.writeStringProperty("kind", detail.kind());
    json.writeStringProperty("name", detail.name());
    json.writeObjectPropertyStart("facts");
    detail.facts().forEach(json::writeStringProperty);
    json.writeEndObject();
    json.writeObjectPropertyStart("counts");
    detail.counts().forEach(json::writeNumberProperty);
    json.writeEndObject();
    json.writeEndObject();
  }

  private void rail(Status.RailStatus rail) {
    json.writeStartObject();
    fields(rail);
    json.writeEndObject();
  }

  private void fields(Status.RailStatus rail) {
    json.writeStringProperty("name", rail.name());
    json.writeStringProperty("state", rail.state());
    time("since", rail.since());
    json.writeStringProperty("cause", rail.cause());
    time("recover_at", rail.recoverAt());
    time("verified_at", rail.verifiedAt());
    json.writeNumberProperty("next_delay_ms", rail.nextDelay().toMillis());
    json.writeNumberProperty("failures_in_a_row", rail.failures());
  }

  private void peer(Status.Peer peer) {
    json.writeStartObject();
    json.writeStringProperty("name", peer.name());
    json.writeStringProperty("generation", Long.toUnsignedString(peer.generation()));
    json.writeStringProperty("transport", peer.transport());
    time("since", peer.since());
    json.writeObjectPropertyStart("capabilities");
    peer.capabilities().forEach(json::writeNumberProperty);
    json.writeEndObject();
    json.writeNumberProperty("queued_requests", peer.queuedRequests());
    json.writeNumberProperty("in_flight_bytes", peer.inFlightBytes());
    peer.unreachable().ifPresent(this::unreachable);
    list("paths", peer.paths(), this::path);
    json.writeEndObject();
  }

  private void unreachable(Status.Unreachable mark) {
    json.writeObjectPropertyStart("unreachable");
    json.writeStringProperty("since", mark.since().toString());
    json.writeStringProperty("cause", mark.cause());
    json.writeStringProperty("next_probe", mark.nextProbe().toString());
    json.writeEndObject();
  }

  private void path(Status.PathStatus path) {
    json.writeStartObject();
    json.writeStringProperty("transport", path.transport());
    json.writeStringProperty("local_rail", path.localRail());
    json.writeStringProperty("remote_rail", path.remoteRail());
    json.writeStringProperty("state", path.state());
    time("until", path.until());
    json.writeStringProperty("cause", path.cause());
    json.writeNumberProperty("carried_bytes", path.carriedBytes());
    json.writeNumberProperty("errors", path.errors());
    json.writeNumberProperty("next_pause_ms", path.nextPause().toMillis());
    json.writeEndObject();
  }

  private void memory(Status.Memory memory) {
    json.writeObjectPropertyStart("memory");
    json.writeNumberProperty("buffers", memory.buffers());
    json.writeNumberProperty("registered_bytes", memory.registeredBytes());
    json.writeNumberProperty("draining_bytes", memory.drainingBytes());
    json.writeNumberProperty("quarantined_bytes", memory.quarantinedBytes());
    json.writeNumberProperty("quarantined_remote_bytes", memory.quarantinedRemoteBytes());
    json.writeEndObject();
  }

  private void queues(Status.Queues queues) {
    json.writeObjectPropertyStart("queues");
    json.writeNumberProperty("notifications", queues.notifications());
    json.writeNumberProperty("calls", queues.calls());
    json.writeNumberProperty("inbound_connections", queues.inboundConnections());
    json.writeNumberProperty("outbound_connections", queues.outboundConnections());
    json.writeEndObject();
  }

  private void plugin(Status.Plugin plugin) {
    json.writeStartObject();
    json.writeStringProperty("kind", plugin.kind());
    json.writeStringProperty("id", plugin.id());
    json.writeStringProperty("version", plugin.version());
    json.writeStringProperty("origin", plugin.origin());
    json.writeStringProperty("state", plugin.state());
    json.writeStringProperty("cause", plugin.cause());
    json.writeEndObject();
  }
}
