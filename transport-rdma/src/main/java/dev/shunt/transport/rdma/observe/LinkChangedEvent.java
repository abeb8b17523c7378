package dev.shunt.transport.rdma.observe;

import java.util.Locale;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A connection with QPs changed its state */
@Name("dev.shunt.rdma.LinkChanged")
@Label("RDMA Link Changed")
@Description("A connection with QPs changed its state")
@Category("Shunt")
@StackTrace(false)
public final class LinkChangedEvent extends Event {
  @Label("Node")
  @Description("Whose event it is")
  private String node = "";

  @Label("Link")
  @Description("Which one")
  private String link = "";

  @Label("Side")
  @Description("ours, where this node asked for it, or theirs")
  private String side = "";

  @Label("State")
  @Description("As its life has it, in lower case")
  private String state = "";

  private LinkChangedEvent() {}

  /**
   * Records it.
   *
   * @param link in words, made only where somebody records
   * @param ours whether this node asked for it
   */
  public static void record(String node, Object link, boolean ours, Enum<?> state) {
    var it = new LinkChangedEvent();
    if (it.isEnabled()) {
      it.node = node;
      it.link = link.toString();
      it.side = ours ? "ours" : "theirs";
      it.state = state.name().toLowerCase(Locale.ROOT);
      it.commit();
    }
  }
}
