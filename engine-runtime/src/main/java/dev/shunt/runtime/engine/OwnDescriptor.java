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
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node tells of itself: made when it is asked for, kept until something changes. Each
 * buffer that others may reach is told, with the keys of the transports that have some for it: a
 * plain peer needs none, and reaches it over the control plane.
 */
final class OwnDescriptor {
  private static final Logger LOG = LoggerFactory.getLogger(OwnDescriptor.class);

  /** TENT's number of TCP, which is SendData and RecvData. */
  private static final List<Integer> TENT_TCP = List.of(7);

  private final String name;
  private final long generation;
  private final List<String> control;
  private final boolean extension;
  private final BufferTable buffers;
  private final List<TransportHost> transports;
  private final EchoMemory echo;
  private final AtomicLong revision = new AtomicLong(1);
  private volatile Written written;
  private volatile boolean last;

  /** Of what was so at a revision, or later. */
  private record Written(long revision, byte[] text) {}

  OwnDescriptor(
      String name,
      long generation,
      List<String> control,
      boolean extension,
      BufferTable buffers,
      List<TransportHost> transports,
      EchoMemory echo) {
    this.name = name;
    this.generation = generation;
    this.control = control;
    this.extension = extension;
    this.buffers = buffers;
    this.transports = transports;
    this.echo = echo;
  }

  /** Something changed; whether that is to be told. Any thread. */
  boolean changed() {
    if (last) {
      return false;
    }
    revision.incrementAndGet();
    return true;
  }

  /**
   * The node closes: it stays as it is. All memory goes with the node, and who read of that would
   * take a request for one to memory that never was. Any thread.
   */
  void close() {
    try {
      text();
    } catch (RuntimeException e) {
      // As before it nobody can read it, and that is no reason to stay.
      LOG.warn("the descriptor of {} could not be written as it closes: {}", name, e.getMessage());
    }
    last = true;
  }

  /** In UTF-8. Any thread. */
  byte[] text() {
    var known = written;
    return known != null && known.revision == revision.get() ? known.text : write();
  }

  /** One at a time, so that no older text takes the place of a newer one. */
  private synchronized byte[] write() {
    // First of all: what changes from here on makes the text an old one.
    var now = revision.get();
    var text =
        DescriptorWriter.write(describe(now), DescriptorLimits.DEFAULT)
            .getBytes(StandardCharsets.UTF_8);
    written = new Written(now, text);
    return text;
  }

  private Descriptor describe(long now) {
    var described = new ArrayList<DescribedBuffer>();
    for (var buffer : buffers.buffers()) {
      if (buffer.registered() && buffer.access() != Access.LOCAL) {
        described.add(
            new DescribedBuffer(
                buffer.address(),
                buffer.length(),
                buffer.access(),
                buffer.location(),
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
        Topology.HOST_ONLY.without(unused()).text(),
        extension
            ? Optional.of(
                new Extension(
                    Extension.VERSION,
                    generation,
                    now,
                    control,
                    serving(),
                    echo.described(page -> keys(page.keys()))))
            : Optional.empty());
  }

  /** Names of rails that TENT peers are not to choose. */
  private List<String> unused() {
    var names = new ArrayList<String>();
    for (var host : transports) {
      for (var rail : host.rails()) {
        if (!host.railBook().active(rail.index())) {
          names.add(rail.name());
        }
      }
    }
    return names;
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
          var inactive = !host.railBook().active(rail.index());
          rails.add(new DescribedRail(rail.name(), rail.attributes(), inactive));
        }
        serving.put(host.id(), new DescribedTransport(rails, host.topology()));
      }
    }
    return serving;
  }
}
