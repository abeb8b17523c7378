package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** This process did not run for a while; nobody else is blamed for what ended meanwhile */
@Name("dev.shunt.StoodStill")
@Label("Stood Still")
@Description("This process did not run for a while; nobody else is blamed for what ended meanwhile")
@Category("Shunt")
@StackTrace(false)
final class StoodStillEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  String node;

  @Label("Silence")
  @Description("How long it stood still")
  @Timespan(Timespan.NANOSECONDS)
  long silence;

  StoodStillEvent() {}
}
