package dev.shunt.runtime.descriptor;

import dev.shunt.api.Access;
import dev.shunt.api.sim.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Descriptors of all kinds, from dice. */
final class Descriptors {
  private static final List<String> TEXTS =
      List.of(
          "", "a", "10.0.0.1:15100", "\u00e9\u4e2d", "q\"uote", "back\\slash", "tab\t", "\u0001");
  private static final List<Access> ACCESSES =
      List.of(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_READ_WRITE);

  private final Dice dice;

  Descriptors(long seed) {
    dice = new Dice(seed);
  }

  private String text() {
    return TEXTS.get((int) dice.below(TEXTS.size()));
  }

  Descriptor next() {
    var extension = dice.permille(800) ? Optional.of(extension()) : Optional.<Extension>empty();
    var devices = new ArrayList<DescribedDevice>();
    while (dice.permille(400)) {
      devices.add(new DescribedDevice(text(), (int) dice.below(65536), text()));
    }
    var buffers = new ArrayList<DescribedBuffer>();
    while (dice.permille(800)) {
      buffers.add(buffer(extension, devices.size()));
    }
    return new Descriptor(
        text(),
        text(),
        text(),
        buffers,
        devices,
        dice.permille(500) ? Topology.HOST_ONLY.text() : "",
        extension);
  }

  private Extension extension() {
    var transports = new TreeMap<String, DescribedTransport>();
    for (var id : List.of("nof", "rdma", "tcp")) {
      if (dice.permille(600)) {
        var rails = new ArrayList<DescribedRail>();
        while (dice.permille(600)) {
          rails.add(
              new DescribedRail(text(), Map.of("port", text(), text(), "x"), dice.permille(300)));
        }
        transports.put(id, new DescribedTransport(rails, topology()));
      }
    }
    var control = new ArrayList<String>();
    do {
      control.add(text());
    } while (dice.permille(300));
    return new Extension(
        1,
        dice.next() | 1,
        dice.permille(500) ? dice.next() >>> 1 : 0,
        control,
        transports,
        dice.permille(500) ? Optional.of(echo(transports)) : Optional.empty());
  }

  private DescribedEcho echo(Map<String, DescribedTransport> transports) {
    var keys = new TreeMap<String, List<Long>>();
    transports.forEach(
        (id, transport) -> {
          if (dice.permille(800)) {
            keys.put(id, transport.rails().stream().map(rail -> dice.next()).toList());
          }
        });
    return new DescribedEcho(dice.next() >>> 2, 64 + dice.below(4096), keys);
  }

  private RailMatrix topology() {
    var locations = new TreeMap<String, RailMatrix.Ranks>();
    while (dice.permille(400)) {
      locations.put(text(), new RailMatrix.Ranks(List.of(text(), text()), List.of(text())));
    }
    return new RailMatrix(locations);
  }

  private DescribedBuffer buffer(Optional<Extension> extension, int devices) {
    var keys = new TreeMap<String, List<Long>>();
    extension.ifPresent(
        told ->
            told.transports()
                .forEach(
                    (id, transport) -> {
                      if (dice.permille(800)) {
                        keys.put(id, transport.rails().stream().map(rail -> dice.next()).toList());
                      }
                    }));
    var rkeys = new ArrayList<Long>();
    for (int i = 0; i < devices; i++) {
      rkeys.add(dice.next() & 0xffff_ffffL);
    }
    long address = dice.next() >>> (1 + dice.below(40));
    return new DescribedBuffer(
        address,
        1 + (dice.next() >>> (1 + dice.below(60))) % (Long.MAX_VALUE - address),
        extension.isPresent()
            ? ACCESSES.get((int) dice.below(ACCESSES.size()))
            : Access.REMOTE_READ_WRITE,
        text(),
        dice.permille(500) ? List.of(7) : List.of(),
        rkeys,
        keys);
  }
}
