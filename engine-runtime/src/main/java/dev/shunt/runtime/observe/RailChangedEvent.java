package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A rail of this node cannot be used, was found not to work yet, or can be used again */
@Name("dev.shunt.RailChanged")
@Label("Rail Changed")
@Description("A rail of this node cannot be used, was found not to work yet, or can be used again")
@Category("Shunt")
@StackTrace(false)
final class RailChangedEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  String node;

  @Label("Transport")
  @Description("Its id")
  String transport;

  @Label("Rail")
  @Description("Its name")
  String rail;

  @Label("State")
  @Description("active, inactive, recovering, check_failed, drained or readdressed")
  String state;

  @Label("Cause")
  @Description("Why, or empty")
  String cause;

  RailChangedEvent() {}
}
