package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** What this node is at */
@Name("dev.shunt.NodeChanged")
@Label("Node Changed")
@Description("What this node is at")
@Category("Shunt")
@StackTrace(false)
final class NodeChangedEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  String node;

  @Label("Generation")
  @Description("Unsigned, 0 for a target or a plain peer")
  String generation;

  @Label("State")
  @Description("starting, ready, draining or stopped")
  String state;

  @Label("Cause")
  @Description("Why, or empty")
  String cause;

  NodeChangedEvent() {}
}
