package dev.shunt.runtime.engine;

import dev.shunt.api.Access;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.runtime.descriptor.DescribedBuffer;
import dev.shunt.runtime.descriptor.DescribedRail;
import dev.shunt.runtime.descriptor.DescribedTransport;
import dev.shunt.runtime.descriptor.Descriptor;
import dev.shunt.runtime.descriptor.DescriptorLimits;
import dev.shunt.runtime.descriptor.DescriptorWriter;
import dev.shunt.runtime.descriptor.Extension;
import dev.shunt.runtime.descriptor.Topology;
import dev.shunt.runtime.memory.BufferTable;
import dev.shunt.runtime.transport.TransportHost;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What this node tells of itself: made when it is asked for, kept until something changes. Each
 * buffer that others may reach is told, with the keys of the transports that have some for it: a
 * plain peer needs none, and reaches it over the control plane.
 */
final class OwnDescriptor {
  /** TENT's number of TCP, which is SendData and RecvData. */
  private static final List<Integer> TENT_TCP = List.of(7);

  private final String name;
  private final long generation;
  private final List<String> control;
  private final boolean extension;
  private final BufferTable buffers;
  private final List<TransportHost> transports;
  private volatile byte[] text;

  OwnDescriptor(
      String name,
      long generation,
      List<String> control,
      boolean extension,
      BufferTable buffers,
      List<TransportHost> transports) {
    this.name = name;
    this.generation = generation;
    this.control = control;
    this.extension = extension;
    this.buffers = buffers;
    this.transports = transports;
  }

  /** Something changed. Any thread. */
  void changed() {
    text = null;
  }

  /** In UTF-8. Any thread. */
  byte[] text() {
    var known = text;
    if (known == null) {
      known =
          DescriptorWriter.write(describe(), DescriptorLimits.DEFAULT)
              .getBytes(StandardCharsets.UTF_8);
      text = known;
    }
    return known;
  }

  private Descriptor describe() {
    var described = new ArrayList<DescribedBuffer>();
    for (var buffer : buffers.buffers()) {
      if (buffer.registered() && buffer.access() != Access.LOCAL) {
        described.add(
            new DescribedBuffer(
                buffer.address(),
                buffer.length(),
                buffer.access(),
                "cpu:0",
                TENT_TCP,
                List.of(),
                extension ? keys(buffer.keys()) : Map.of()));
      }
    }
    return new Descriptor(
        name,
        "",
        control.getFirst(),
        described,
        List.of(),
        Topology.HOST_ONLY.text(),
        extension
            ? Optional.of(new Extension(Extension.VERSION, generation, control, serving()))
            : Optional.empty());
  }

  private Map<String, List<Long>> keys(RegionKey[][] all) {
    var keys = new TreeMap<String, List<Long>>();
    for (var host : transports) {
      if (host.worker().limits().serves() && host.index() < all.length) {
        var list = new ArrayList<Long>();
        for (var key : all[host.index()]) {
          list.add(key.remoteKey());
        }
        if (!list.isEmpty()) {
          keys.put(host.id(), list);
        }
      }
    }
    return keys;
  }

  private Map<String, DescribedTransport> serving() {
    var serving = new TreeMap<String, DescribedTransport>();
    for (var host : transports) {
      if (host.worker().limits().serves()) {
        var rails = new ArrayList<DescribedRail>();
        for (var rail : host.rails()) {
          rails.add(new DescribedRail(rail.name(), rail.attributes()));
        }
        serving.put(host.id(), new DescribedTransport(rails));
      }
    }
    return serving;
  }
}
