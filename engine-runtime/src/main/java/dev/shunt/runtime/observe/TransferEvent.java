package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/** A request from its submission to its end */
@Name("dev.shunt.Transfer")
@Label("Transfer")
@Description("A request from its submission to its end")
@Category("Shunt")
@StackTrace(false)
@Threshold("20 ms")
final class TransferEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  String node;

  @Label("Peer")
  @Description("The remote's name")
  String peer;

  @Label("Transport")
  @Description("Its id")
  String transport;

  @Label("Operation")
  @Description("WRITE or READ")
  String operation;

  @Label("Bytes")
  @Description("Its length")
  @DataAmount
  long bytes;

  @Label("Slices")
  @Description("How many pieces were cut of it")
  int slices;

  @Label("Attempts")
  @Description("How often pieces of it were posted")
  int attempts;

  @Label("Outcome")
  @Description("COMPLETED, FAILED, TIMED_OUT or CANCELLED")
  String outcome;

  @Label("Code")
  @Description("The failure's, or empty")
  String code;

  @Label("Queue time")
  @Description("Until a piece was posted first")
  @Timespan(Timespan.NANOSECONDS)
  long queueTime;

  @Label("Wire time")
  @Description("From then on")
  @Timespan(Timespan.NANOSECONDS)
  long wireTime;

  TransferEvent() {}
}
