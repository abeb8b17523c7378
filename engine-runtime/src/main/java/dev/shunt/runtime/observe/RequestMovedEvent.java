package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A request goes on as a whole by another transport */
@Name("dev.shunt.RequestMoved")
@Label("Request Moved")
@Description("A request goes on as a whole by another transport")
@Category("Shunt")
@StackTrace(false)
final class RequestMovedEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  String node;

  @Label("Peer")
  @Description("The remote's name")
  String peer;

  @Label("Transport")
  @Description("The id of that which it leaves")
  String transport;

  @Label("Next")
  @Description("The id of that which it goes on by")
  String next;

  @Label("Operation")
  @Description("WRITE or READ")
  String operation;

  @Label("Bytes")
  @Description("Its length")
  @DataAmount
  long bytes;

  @Label("Attempts")
  @Description("How often pieces of it were posted so far")
  int attempts;

  RequestMovedEvent() {}
}
