package dev.shunt.runtime.observe;

/** A change of state: each has a JFR event, a count, and a line in the log where it matters. */
public enum Change {
  /** A rail of ours cannot be used. */
  RAIL_INACTIVE("rail", "inactive"),
  /** What made it so is over; it is to be checked. */
  RAIL_RECOVERING("rail", "recovering"),
  /** It is used again. */
  RAIL_ACTIVE("rail", "active"),
  /** An operator took it out of use. */
  RAIL_DRAINED("rail", "drained"),
  /** A check found that it does not work yet; it stays out of use. */
  RAIL_CHECK_FAILED("rail", "check_failed"),
  /** It has another address now, and peers are told. */
  RAIL_READDRESSED("rail", "readdressed"),
  /** A path rests. */
  PATH_PAUSED("path", "paused"),
  /** Its rest is over. */
  PATH_RESUMED("path", "resumed"),
  /** A channel is there. */
  CHANNEL_UP("channel", "up"),
  /** A channel is over. */
  CHANNEL_DOWN("channel", "down"),
  /** A remote was met. */
  PEER_MET("peer", "met"),
  /** A remote is another process by now. */
  PEER_STALE("peer", "stale"),
  /** A remote says that it closes. */
  PEER_CLOSING("peer", "closing"),
  /** A remote was dropped to make room. */
  PEER_FORGOTTEN("peer", "forgotten"),
  /** A remote's control plane does not answer, and is not called until it does. */
  PEER_UNREACHABLE("peer", "unreachable"),
  /** It answers again. */
  PEER_REACHABLE("peer", "reachable"),
  /** This node is put together. */
  NODE_STARTING("node", "starting"),
  /** This node serves. */
  NODE_READY("node", "ready"),
  /** This node takes nothing new. */
  NODE_DRAINING("node", "draining"),
  /** This node is closed. */
  NODE_STOPPED("node", "stopped"),
  /** This process did not run for a while. */
  NODE_STOOD_STILL("node", "stood_still"),
  /** A transport runs. */
  TRANSPORT_STARTED("transport", "started"),
  /** A transport could not be started. */
  TRANSPORT_FAILED("transport", "failed"),
  /** A plug-in is not used. */
  PLUGIN_REFUSED("plugin", "refused"),
  /** The descriptor was written anew. */
  DESCRIPTOR_PUBLISHED("descriptor", "published"),
  /** A thread makes no progress. */
  AGENT_STUCK("agent", "stuck"),
  /** It does again. */
  AGENT_MOVING("agent", "moving");

  private final String subject;
  private final String state;

  Change(String subject, String state) {
    this.subject = subject;
    this.state = state;
  }

  /** What changed. */
  public String subject() {
    return subject;
  }

  /** What it is now. */
  public String state() {
    return state;
  }
}
