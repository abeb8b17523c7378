package dev.shunt.runtime.sim;

import dev.shunt.api.sim.SimHost;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.tcp.core.Interface;
import dev.shunt.transport.tcp.core.IpAddress;
import dev.shunt.transport.tcp.links.LinkSource;
import dev.shunt.transport.tcp.links.LinkWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The interfaces of a host, one for each of its rails, and what its kernel tells of them. */
final class SimLinks implements LinkSource {
  private final Cluster cluster;
  private final SimHost host;
  private final boolean[] running;
  private final boolean[] addressed;
  private final List<Watcher> watchers = new ArrayList<>();

  private record Watcher(TransportContext context, Consumer<List<Interface>> news) {}

  SimLinks(Cluster cluster, SimHost host) {
    this.cluster = cluster;
    this.host = host;
    running = new boolean[host.rails().size()];
    addressed = new boolean[host.rails().size()];
    java.util.Arrays.fill(running, true);
    java.util.Arrays.fill(addressed, true);
  }

  @Override
  public LinkWatch watch(TransportContext context, Consumer<List<Interface>> news) {
    var watcher = new Watcher(context, news);
    watchers.add(watcher);
    tell(watcher);
    return () -> watchers.remove(watcher);
  }

  /** Another process starts: who listened is gone, and what it binds to is there. */
  void starts() {
    watchers.clear();
    for (int i = 0; i < addressed.length; i++) {
      addressed[i] = true;
      plug(i, 0);
    }
  }

  /** The link of a rail is lost; the kernel tells of it a little later. */
  void link(int rail, boolean up, long later) {
    running[rail] = up;
    plug(rail, later);
  }

  /** A rail's address is taken away, or is there again. */
  void address(int rail, boolean there, long later) {
    addressed[rail] = there;
    plug(rail, later);
  }

  private void plug(int rail, long later) {
    if (running[rail] && addressed[rail]) {
      host.rail(rail).linkUp();
    } else {
      host.rail(rail).linkDown();
    }
    cluster.after(later, () -> List.copyOf(watchers).forEach(this::tell));
  }

  /** What is so when it is told, and not when it was noticed. */
  private void tell(Watcher watcher) {
    watcher
        .context
        .supervisor()
        .execute(
            () -> {
              if (watchers.contains(watcher)) {
                watcher.news.accept(interfaces());
              }
            });
  }

  private List<Interface> interfaces() {
    var all = new ArrayList<Interface>();
    for (int i = 0; i < running.length; i++) {
      var bytes = host.rail(i).address().getAddress();
      var address = IpAddress.of(bytes, 0, bytes.length).orElseThrow();
      all.add(
          new Interface(
              i + 2, "eth" + i, true, running[i], addressed[i] ? List.of(address) : List.of()));
    }
    return all;
  }

  void heal() {
    for (int i = 0; i < running.length; i++) {
      running[i] = true;
      addressed[i] = true;
      plug(i, 0);
    }
  }
}
