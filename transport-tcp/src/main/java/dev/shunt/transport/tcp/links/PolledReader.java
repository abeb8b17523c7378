package dev.shunt.transport.tcp.links;

import dev.shunt.transport.tcp.core.Interface;
import dev.shunt.transport.tcp.core.IpAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks at the interfaces from time to time. */
final class PolledReader implements LinkReader {
  private final long interval;
  private final CountDownLatch ended = new CountDownLatch(1);
  private List<Interface> last = List.of();
  private boolean looked;

  PolledReader(long interval) {
    this.interval = interval;
  }

  @Override
  public Optional<List<Interface>> await(long nanos) {
    long end = System.nanoTime() + nanos;
    while (true) {
      var found = looked && ended(Math.min(interval, end - System.nanoTime())) ? last : look();
      if (!looked || !found.equals(last)) {
        looked = true;
        last = found;
        return Optional.of(found);
      }
      if (ended.getCount() == 0 || System.nanoTime() - end >= 0) {
        return Optional.empty();
      }
    }
  }

  private boolean ended(long nanos) {
    try {
      return ended.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new LinkException("interrupted", e);
    }
  }

  private static List<Interface> look() {
    try {
      var found = new ArrayList<Interface>();
      for (var one : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        found.add(describe(one));
        for (var alias : Collections.list(one.getSubInterfaces())) {
          found.add(describe(alias));
        }
      }
      found.sort((a, b) -> Integer.compare(a.index(), b.index()));
      return List.copyOf(found);
    } catch (SocketException e) {
      throw new LinkException("the interfaces cannot be read: " + e.getMessage(), e);
    }
  }

  private static Interface describe(NetworkInterface one) throws SocketException {
    // It says one thing only: switched on and with a carrier.
    boolean up = one.isUp();
    var addresses = new ArrayList<IpAddress>();
    for (var address : Collections.list(one.getInetAddresses())) {
      var bytes = address.getAddress();
      IpAddress.of(bytes, 0, bytes.length).ifPresent(addresses::add);
    }
    return new Interface(one.getIndex(), one.getName(), up, up, List.copyOf(addresses));
  }

  @Override
  public void wake() {
    ended.countDown();
  }

  @Override
  public void close() {
    ended.countDown();
  }
}
