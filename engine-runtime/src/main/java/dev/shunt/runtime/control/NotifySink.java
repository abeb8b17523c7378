package dev.shunt.runtime.control;

/** Where notifications go that came over the control plane. */
@FunctionalInterface
public interface NotifySink {
  /**
   * Takes one, on the control thread.
   *
   * @return false if there is no room: the sender is told so
   */
  boolean accept(String name, String message);
}
