package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** One try of a slice on one path that failed */
@Name("dev.shunt.AttemptFailed")
@Label("Attempt Failed")
@Description("One try of a slice on one path that failed")
@Category("Shunt")
@StackTrace(false)
final class AttemptFailedEvent extends Event {
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

  @Label("Operation")
  @Description("WRITE or READ")
  String operation;

  @Label("Bytes")
  @Description("The slice's length")
  @DataAmount
  long bytes;

  @Label("Attempt")
  @Description("Counted from 1 for the slice")
  int attempt;

  @Label("Code")
  @Description("The fault's")
  String code;

  @Label("Blame")
  @Description("LOCAL, REMOTE, NEUTRAL or REQUEST")
  String blame;

  @Label("Cause")
  @Description("As the transport told it")
  String cause;

  AttemptFailedEvent() {}
}
