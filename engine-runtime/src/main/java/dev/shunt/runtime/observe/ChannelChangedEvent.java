package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A channel is there, or is over */
@Name("dev.shunt.ChannelChanged")
@Label("Channel Changed")
@Description("A channel is there, or is over")
@Category("Shunt")
@StackTrace(false)
final class ChannelChangedEvent extends Event {
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
  @Description("up or down")
  String state;

  @Label("Cause")
  @Description("Why, or empty")
  String cause;

  ChannelChangedEvent() {}
}
