package dev.shunt.runtime.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A plug-in was found and is not used */
@Name("dev.shunt.PluginRefused")
@Label("Plug-in Refused")
@Description("A plug-in was found and is not used")
@Category("Shunt")
@StackTrace(false)
final class PluginRefusedEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  String node;

  @Label("Kind")
  @Description("transport, metadata, failover or plugin")
  String kind;

  @Label("Plug-in")
  @Description("Its id, or its class")
  String plugin;

  @Label("Origin")
  @Description("Its module and where that came from")
  String origin;

  @Label("Cause")
  @Description("Why, or empty")
  String cause;

  PluginRefusedEvent() {}
}
