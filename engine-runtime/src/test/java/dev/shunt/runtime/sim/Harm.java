package dev.shunt.runtime.sim;

import dev.shunt.api.sim.SimHost;
import java.util.HashSet;
import java.util.Set;

/**
 * What a story has broken so far, and on which side: by that is judged whom nodes charge for it. It
 * is not forgotten when it is mended, since what failed by it may come to light late.
 */
final class Harm {
  private final Set<SimHost> hosts = new HashSet<>();
  private final Set<String> rails = new HashSet<>();
  private final Set<String> paths = new HashSet<>();

  /** A process there stood still, died, or did not do what it should. */
  void host(SimHost host) {
    hosts.add(host);
  }

  /** A rail itself broke, and its host knows. */
  void rail(SimHost host, int rail) {
    rails.add(name(host, rail));
  }

  /** The way between two rails broke, in one direction or both. */
  void path(SimHost one, int rail, SimHost other, int otherRail) {
    paths.add(name(one, rail) + name(other, otherRail));
    paths.add(name(other, otherRail) + name(one, rail));
  }

  /** All ways from and to a rail broke, and its host does not know. */
  void around(SimHost host, int rail, Iterable<SimHost> all) {
    for (var other : all) {
      for (int i = 0; i < other.rails().size(); i++) {
        path(host, rail, other, i);
      }
    }
  }

  boolean ofHost(SimHost host) {
    return hosts.contains(host);
  }

  boolean ofRail(SimHost host, int rail) {
    return rails.contains(name(host, rail));
  }

  boolean ofPath(SimHost one, int rail, SimHost other, int otherRail) {
    return paths.contains(name(one, rail) + name(other, otherRail));
  }

  /** Whether anything broke between two hosts, or on a rail of theirs. */
  boolean between(SimHost one, SimHost other) {
    return beyond(one, other) || beyond(other, one);
  }

  /** Whether anything broke on the way from one host to another, or on a rail of the other. */
  boolean beyond(SimHost one, SimHost other) {
    for (int i = 0; i < one.rails().size(); i++) {
      for (int j = 0; j < other.rails().size(); j++) {
        if (ofRail(other, j) || ofPath(one, i, other, j)) {
          return true;
        }
      }
    }
    return false;
  }

  private static String name(SimHost host, int rail) {
    return host.name() + "/" + rail + " ";
  }
}
