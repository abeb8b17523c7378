package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A remote was met, answers no more or again, closes, is another one, or was forgotten */
@Name("dev.shunt.PeerChanged")
@Label("Peer Changed")
@Description("A remote was met, answers no more or again, closes, is another one, or was forgotten")
@Category("Shunt")
@StackTrace(false)
final class PeerChangedEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  String node;

  @Label("Peer")
  @Description("The remote's name")
  String peer;

  @Label("Generation")
  @Description("Unsigned, 0 for a target or a plain peer")
  String generation;

  @Label("State")
  @Description("met, unreachable, reachable, closing, stale or forgotten")
  String state;

  @Label("Cause")
  @Description("Why, or empty")
  String cause;

  PeerChangedEvent() {}
}
