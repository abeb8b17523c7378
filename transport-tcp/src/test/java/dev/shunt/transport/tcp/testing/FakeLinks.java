package dev.shunt.transport.tcp.testing;

import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.tcp.core.Interface;
import dev.shunt.transport.tcp.core.IpAddress;
import dev.shunt.transport.tcp.core.LinkTable;
import dev.shunt.transport.tcp.links.LinkSource;
import dev.shunt.transport.tcp.links.LinkWatch;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The interfaces of one machine, {@code link0} and so on, at first with one address each, up. They
 * outlive the processes that watch them. On the thread of the test.
 */
public final class FakeLinks implements LinkSource {
  private final LinkTable table = new LinkTable();
  private final List<Watching> watches = new ArrayList<>();
  private final List<State> states = new ArrayList<>();

  private static final class State {
    boolean up = true;
    boolean carrier = true;
  }

  private record Watching(TransportContext context, Consumer<List<Interface>> news) {}

  /** One interface for each address. */
  public FakeLinks(String... addresses) {
    for (int i = 0; i < addresses.length; i++) {
      states.add(new State());
      tellTable(i);
      table.address(i + 1, parse(addresses[i]));
    }
  }

  /** Switches an interface on or off. */
  public void up(int link, boolean up) {
    states.get(link).up = up;
    tellTable(link);
    tell();
  }

  /** Gives an interface a carrier, or takes it. */
  public void carrier(int link, boolean carrier) {
    states.get(link).carrier = carrier;
    tellTable(link);
    tell();
  }

  /** Gives an interface an address. */
  public void add(int link, String address) {
    table.address(link + 1, parse(address));
    tell();
  }

  /** Takes an address from an interface. */
  public void remove(int link, String address) {
    table.addressGone(link + 1, parse(address));
    tell();
  }

  /** How many watch. */
  public int watched() {
    return watches.size();
  }

  private void tellTable(int link) {
    var state = states.get(link);
    table.link(link + 1, Optional.of("link" + link), state.up, state.up && state.carrier);
  }

  private void tell() {
    watches.forEach(this::tell);
  }

  private void tell(Watching watching) {
    var now = table.interfaces();
    watching
        .context()
        .supervisor()
        .execute(
            () -> {
              if (watches.contains(watching)) {
                watching.news().accept(now);
              }
            });
  }

  @Override
  public LinkWatch watch(TransportContext context, Consumer<List<Interface>> news) {
    var watching = new Watching(context, news);
    watches.add(watching);
    tell(watching);
    return () -> watches.remove(watching);
  }

  private static IpAddress parse(String address) {
    var bytes = InetAddress.ofLiteral(address).getAddress();
    return IpAddress.of(bytes, 0, bytes.length).orElseThrow();
  }
}
