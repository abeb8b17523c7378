package dev.shunt.transport.tcp.core;

import java.util.List;

/**
 * An interface of this machine.
 *
 * @param index the kernel's number of it
 * @param name as people know it
 * @param up whether it was switched on
 * @param running whether it could carry something: it has a carrier
 * @param addresses those that can be used
 */
public record Interface(
    int index, String name, boolean up, boolean running, List<IpAddress> addresses) {
  /** Whether something can go out by it. */
  public boolean carries() {
    return up && running;
  }
}
