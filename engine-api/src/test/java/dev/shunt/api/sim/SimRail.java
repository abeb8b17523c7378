package dev.shunt.api.sim;

import java.net.InetAddress;
import java.util.TreeMap;

/** One address of a host, and what listens there. */
public final class SimRail {
  private final SimHost host;
  private final InetAddress address;
  private final int number;
  private boolean unplugged;
  private boolean linkDown;
  final TreeMap<Integer, SimServer> servers = new TreeMap<>();
  private int ephemeral = 40_000;

  SimRail(SimHost host, InetAddress address, int number) {
    this.host = host;
    this.address = address;
    this.number = number;
  }

  /** Whose address. */
  public SimHost host() {
    return host;
  }

  /** The address. */
  public InetAddress address() {
    return address;
  }

  int number() {
    return number;
  }

  /** Pulls the cable: silence in both directions, while the address stays. */
  public void unplug() {
    unplugged = true;
  }

  /** Puts it back. */
  public void plug() {
    unplugged = false;
  }

  /** Whether nothing gets through. */
  public boolean unplugged() {
    return unplugged || linkDown;
  }

  /** Its own link is gone, and its host knows: silence, and no way of the host's leads by it. */
  public void linkDown() {
    linkDown = true;
  }

  /** Its link is there again. */
  public void linkUp() {
    linkDown = false;
  }

  /** Whether its own link is gone. */
  public boolean isLinkDown() {
    return linkDown;
  }

  int freePort() {
    do {
      ephemeral = ephemeral >= 65_000 ? 40_000 : ephemeral + 1;
    } while (servers.containsKey(ephemeral));
    return ephemeral;
  }
}
