package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A thread of the engine makes no progress, or does again */
@Name("dev.shunt.AgentChanged")
@Label("Agent Changed")
@Description("A thread of the engine makes no progress, or does again")
@Category("Shunt")
@StackTrace(false)
final class AgentChangedEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  String node;

  @Label("Agent")
  @Description("Its name")
  String agent;

  @Label("State")
  @Description("stuck or moving")
  String state;

  @Label("Silence")
  @Description("How long it made none")
  @Timespan(Timespan.NANOSECONDS)
  long silence;

  AgentChangedEvent() {}
}
