package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** What this node tells of itself was written anew */
@Name("dev.shunt.DescriptorPublished")
@Label("Descriptor Published")
@Description("What this node tells of itself was written anew")
@Category("Shunt")
@StackTrace(false)
final class DescriptorPublishedEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  String node;

  @Label("Bytes")
  @Description("Its length")
  @DataAmount
  int bytes;

  DescriptorPublishedEvent() {}
}
