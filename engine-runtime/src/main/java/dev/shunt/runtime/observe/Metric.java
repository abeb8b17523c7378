package dev.shunt.runtime.observe;

import java.util.List;
import java.util.Locale;

/** Every metric that there is. The package's documentation lists them; a test compares. */
public enum Metric {
  /** Which node this is. */
  NODE_INFO("shunt_node_info", Type.GAUGE, "Always 1; who this is", "node", "generation"),
  /** When it was started. */
  START_TIME("shunt_node_start_time_seconds", Type.GAUGE, "When it was started, since 1970"),
  /** Whether it is ready. */
  READY("shunt_node_ready", Type.GAUGE, "1 while it is started, published and not draining"),
  /** Agents that make no progress. */
  AGENTS_STUCK("shunt_agents_stuck", Type.GAUGE, "Threads of the engine that make no progress"),
  /** Changes of state. */
  STATE_CHANGES("shunt_state_changes_total", Type.COUNTER, "Changes of state", "subject", "state"),

  /** Requests that ended. */
  REQUESTS(
      "shunt_transfer_requests_total",
      Type.COUNTER,
      "Requests of this node that ended",
      "transport",
      "operation",
      "outcome"),
  /** Their time. */
  DURATION(
      "shunt_transfer_duration_seconds",
      Type.HISTOGRAM,
      "From the submission of a request of this node to its end",
      "transport",
      "operation"),
  /** Bytes moved. */
  BYTES(
      "shunt_transfer_bytes_total",
      Type.COUNTER,
      "Bytes that this node asked for and got moved (outbound), and that peers were let in to move"
          + " (inbound; RDMA hardware serves without telling)",
      "transport",
      "operation",
      "direction"),
  /** Requests that no lane took. */
  REJECTED(
      "shunt_transfer_rejected_total",
      Type.COUNTER,
      "Requests that ended before a lane took them: wrong in themselves, stale, or too late"),
  /** Slices completed. */
  SLICES("shunt_slices_completed_total", Type.COUNTER, "Slices that completed", "transport"),
  /** Bytes of slices. */
  SLICE_BYTES(
      "shunt_slices_completed_bytes_total",
      Type.COUNTER,
      "Bytes of slices that completed",
      "transport"),
  /** Attempts that failed. */
  ATTEMPTS_FAILED(
      "shunt_attempts_failed_total", Type.COUNTER, "Tries of slices that failed", "transport"),
  /** Slices redone. */
  SLICES_REDONE("shunt_slices_redone_total", Type.COUNTER, "Slices posted again", "transport"),
  /** Slices handed off. */
  SLICES_HANDED_OFF(
      "shunt_slices_handed_off_total",
      Type.COUNTER,
      "Slices that failed and were to go on by another rail",
      "transport",
      "changes"),
  /** Requests moved. */
  REQUESTS_MOVED(
      "shunt_requests_moved_total",
      Type.COUNTER,
      "Requests that went on by another transport",
      "transport"),
  /** Unfenced writes. */
  UNFENCED(
      "shunt_unfenced_total",
      Type.COUNTER,
      "Redone writes that waited for a grace, as nobody could fence the old attempt",
      "transport"),
  /** Late reports. */
  LATE_REPORTS(
      "shunt_late_reports_total",
      Type.COUNTER,
      "Reports for slices whose request had ended",
      "transport"),
  /** In flight. */
  IN_FLIGHT_BYTES("shunt_in_flight_bytes", Type.GAUGE, "Bytes posted now", "transport"),
  /** Queued. */
  QUEUED_REQUESTS("shunt_queued_requests", Type.GAUGE, "Requests that have not ended", "transport"),
  /** Draining. */
  DRAINING_BYTES("shunt_draining_bytes", Type.GAUGE, "Bytes of slices that drain now", "transport"),
  /** Quarantined. */
  QUARANTINED_BYTES(
      "shunt_quarantined_bytes", Type.GAUGE, "Bytes of slices that never drained", "transport"),
  /** Quarantined at remotes. */
  QUARANTINED_REMOTE_BYTES(
      "shunt_quarantined_remote_bytes",
      Type.GAUGE,
      "Those of them that may still land, and whose memory here was given back",
      "transport"),

  /** Peers' requests. */
  INBOUND_REQUESTS(
      "shunt_inbound_requests_total",
      Type.COUNTER,
      "Requests of peers that were let in to memory",
      "transport",
      "operation"),
  /** Peers' requests refused. */
  INBOUND_REFUSED(
      "shunt_inbound_refused_total",
      Type.COUNTER,
      "Requests of peers that were refused",
      "transport",
      "reason"),

  /** Channels up. */
  CHANNELS_UP("shunt_channels_up_total", Type.COUNTER, "Channels that came up", "transport"),
  /** Channels down. */
  CHANNELS_DOWN("shunt_channels_down_total", Type.COUNTER, "Channels that went down", "transport"),
  /** Connections failed. */
  CONNECTS_FAILED(
      "shunt_connects_failed_total", Type.COUNTER, "Channels that could not be had", "transport"),
  /** Channels stalled. */
  CHANNELS_STALLED(
      "shunt_channels_stalled_total",
      Type.COUNTER,
      "Channels retired because a slice stalled",
      "transport"),
  /** Fences. */
  FENCES(
      "shunt_fences_total", Type.COUNTER, "Links that a remote was asked to refuse", "transport"),
  /** Standstills. */
  STOOD_STILL(
      "shunt_stood_still_total", Type.COUNTER, "Times that this process did not run for a while"),
  /** Rails. */
  RAILS("shunt_rails", Type.GAUGE, "Rails of this node", "transport", "state"),
  /** What transports show of their inside. */
  DETAILS(
      "shunt_transport_detail",
      Type.GAUGE,
      "What a transport counts of its devices, ports and the like",
      "transport",
      "kind",
      "name",
      "what"),
  /** Paused paths. */
  PATHS_PAUSED("shunt_paths_paused", Type.GAUGE, "Paths that rest", "transport"),
  /** Peers. */
  PEERS("shunt_peers", Type.GAUGE, "Nodes and targets that are known"),
  /** Peers that do not answer. */
  PEERS_UNREACHABLE(
      "shunt_peers_unreachable", Type.GAUGE, "Nodes whose control plane does not answer"),

  /** Calls of ours. */
  CALLS("shunt_control_calls_total", Type.COUNTER, "Calls to peers", "function"),
  /** Calls of ours that failed. */
  CALLS_FAILED(
      "shunt_control_calls_failed_total",
      Type.COUNTER,
      "Calls to peers that ended without a reply",
      "function"),
  /** Calls of peers. */
  CALLS_SERVED("shunt_control_served_total", Type.COUNTER, "Calls of peers", "function"),
  /** Calls under way. */
  CALLS_UNDER_WAY(
      "shunt_control_calls_outstanding", Type.GAUGE, "Calls to peers that have not ended"),
  /** Connections. */
  CONNECTIONS(
      "shunt_control_connections", Type.GAUGE, "Connections of the control plane", "direction"),

  /** Buffers. */
  BUFFERS("shunt_registered_buffers", Type.GAUGE, "Buffers that are registered"),
  /** Their bytes. */
  REGISTERED_BYTES("shunt_registered_bytes", Type.GAUGE, "Bytes that are registered"),
  /** The inbox. */
  INBOX("shunt_inbox_notifications", Type.GAUGE, "Notifications that wait for the application");

  private final String metric;
  private final Type type;
  private final String help;
  private final List<String> labels;

  /** Kinds of metrics. */
  public enum Type {
    /** Only grows. */
    COUNTER,
    /** A value now. */
    GAUGE,
    /** Counts by size. */
    HISTOGRAM;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  Metric(String metric, Type type, String help, String... labels) {
    this.metric = metric;
    this.type = type;
    this.help = help;
    this.labels = List.of(labels);
  }

  /** Its name. */
  public String metric() {
    return metric;
  }

  /** Its kind. */
  public Type type() {
    return type;
  }

  /** What it tells; one line. */
  public String help() {
    return help;
  }

  /** The names of its labels; what values each takes is bounded by the node's own configuration. */
  public List<String> labels() {
    return labels;
  }
}
