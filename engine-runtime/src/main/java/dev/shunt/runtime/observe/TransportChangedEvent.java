package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A transport started, or could not */
@Name("dev.shunt.TransportChanged")
@Label("Transport Changed")
@Description("A transport started, or could not")
@Category("Shunt")
@StackTrace(false)
final class TransportChangedEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  String node;

  @Label("Transport")
  @Description("Its id")
  String transport;

  @Label("State")
  @Description("started or failed")
  String state;

  @Label("Rails")
  @Description("How many it has")
  int rails;

  @Label("Cause")
  @Description("Why, or empty")
  String cause;

  TransportChangedEvent() {}
}
