package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A slice that failed goes on by another rail of this node, or of the remote */
@Name("dev.shunt.SliceHandedOff")
@Label("Slice Handed Off")
@Description("A slice that failed goes on by another rail of this node, or of the remote")
@Category("Shunt")
@StackTrace(false)
final class SliceHandedOffEvent extends Event {
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
  @Description("Our rail, where it failed")
  String localRail;

  @Label("Remote rail")
  @Description("The remote's rail, where it failed")
  String remoteRail;

  @Label("Operation")
  @Description("WRITE or READ")
  String operation;

  @Label("Bytes")
  @Description("The slice's length")
  @DataAmount
  long bytes;

  @Label("Attempt")
  @Description("How often it was posted so far")
  int attempt;

  @Label("Changes")
  @Description("local or remote: which of the two rails is another one next")
  String changes;

  SliceHandedOffEvent() {}
}
