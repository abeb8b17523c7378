package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A redone write counts as done by patience: nobody could refuse its old attempt */
@Name("dev.shunt.UnfencedWrite")
@Label("Unfenced Write")
@Description("A redone write counts as done by patience: nobody could refuse its old attempt")
@Category("Shunt")
@StackTrace(false)
final class UnfencedWriteEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  String node;

  @Label("Peer")
  @Description("The remote's name")
  String peer;

  @Label("Transport")
  @Description("Its id")
  String transport;

  @Label("Bytes")
  @Description("Its length")
  @DataAmount
  long bytes;

  UnfencedWriteEvent() {}
}
