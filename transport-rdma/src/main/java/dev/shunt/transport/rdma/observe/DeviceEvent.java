package dev.shunt.transport.rdma.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A device told of something by itself */
@Name("dev.shunt.rdma.DeviceEvent")
@Label("RDMA Device Event")
@Description("A device told of something by itself")
@Category("Shunt")
@StackTrace(false)
public final class DeviceEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  private String node = "";

  @Label("Device")
  @Description("Its name")
  private String device = "";

  @Label("Event")
  @Description("What, by the name that verbs have for it")
  private String event = "";

  @Label("Subject")
  @Description("The number of the port or QP that it is about, or 0")
  private int subject;

  private DeviceEvent() {}

  /** Records it. */
  public static void record(String node, String device, String event, int subject) {
    var it = new DeviceEvent();
    if (it.isEnabled()) {
      it.node = node;
      it.device = device;
      it.event = event;
      it.subject = subject;
      it.commit();
    }
  }
}
