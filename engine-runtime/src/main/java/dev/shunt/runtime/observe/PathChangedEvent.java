package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A path rests, or is used again */
@Name("dev.shunt.PathChanged")
@Label("Path Changed")
@Description("A path rests, or is used again")
@Category("Shunt")
@StackTrace(false)
final class PathChangedEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  String node;

  @Label("Peer")
  @Description("The remote's name")
  String peer;

  @Label("Transport")
  @Description("Its id")
  String transport;

  @Label("Local rail")
  @Description("Our rail")
  String localRail;

  @Label("Remote rail")
  @Description("The remote's rail")
  String remoteRail;

  @Label("State")
  @Description("paused or resumed")
  String state;

  @Label("Rest")
  @Description("How long it rests")
  @Timespan(Timespan.NANOSECONDS)
  long rest;

  @Label("Cause")
  @Description("Why, or empty")
  String cause;

  PathChangedEvent() {}
}
