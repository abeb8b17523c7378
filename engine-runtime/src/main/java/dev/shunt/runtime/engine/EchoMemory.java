package dev.shunt.runtime.engine;

import dev.shunt.api.Access;
import dev.shunt.runtime.control.core.EchoPage;
import dev.shunt.runtime.descriptor.DescribedEcho;
import dev.shunt.runtime.memory.BufferTable;
import dev.shunt.runtime.memory.RegisteredBuffer;
import dev.shunt.runtime.transport.EchoRoom;
import dev.shunt.runtime.transport.TransportHost;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory of the node's own for {@code link.echo}: a page that peers read, and room for what is read
 * of theirs. Without it nothing else is missing, so that it can't be had is a line in the log.
 */
final class EchoMemory {
  private static final Logger LOG = LoggerFactory.getLogger(EchoMemory.class);
  private static final int ALIGNMENT = 4096;

  private final long generation;
  private final BufferTable buffers;
  private final List<TransportHost> transports;
  private final Runnable changed;
  private volatile RegisteredBuffer page;
  private volatile RegisteredBuffer room;

  /**
   * Nothing yet.
   *
   * @param changed to be called when there is something to be told of it
   */
  EchoMemory(
      long generation, BufferTable buffers, List<TransportHost> transports, Runnable changed) {
    this.changed = changed;
    this.generation = generation;
    this.buffers = buffers;
    this.transports = transports;
  }

  /**
   * Registers it, in its own time: the registration takes each supervisor's turn. The descriptor is
   * published again behind it.
   */
  void open() {
    // Freed when nobody can name it any more: a lane that was given up may still be at it.
    var arena = Arena.ofAuto();
    var lent = arena.allocate(EchoPage.LENGTH, ALIGNMENT);
    var content = EchoPage.content(generation, lent.address());
    lent.copyFrom(MemorySegment.ofArray(content));
    var rails = transports.stream().mapToInt(host -> host.rails().size()).sum();
    var places = (long) EchoRoom.PLACES * Math.max(1, rails);
    var taken = arena.allocate(EchoPage.LENGTH * places, ALIGNMENT);
    buffers
        .registerOwn(taken, Access.LOCAL)
        .whenComplete(
            (buffer, failure) -> {
              room = buffer;
              told(failure);
              lend(lent);
            });
  }

  private void lend(MemorySegment lent) {
    buffers
        .registerOwn(lent, Access.REMOTE_READ)
        .whenComplete(
            (buffer, failure) -> {
              page = buffer;
              told(failure);
              changed.run();
            });
  }

  private static void told(Throwable failure) {
    if (failure != null) {
      LOG.warn("a rail that recovers is checked without peers: {}", failure.toString());
    }
  }

  /**
   * How others find the page.
   *
   * @param keys tells the keys of a registration by transport, of those that serve
   */
  Optional<DescribedEcho> described(Function<RegisteredBuffer, Map<String, List<Long>>> keys) {
    var lent = page;
    return lent == null
        ? Optional.empty()
        : Optional.of(new DescribedEcho(lent.address(), lent.length(), keys.apply(lent)));
  }

  /** Where a check of a rail puts what it reads. */
  Optional<EchoRoom> room(String transport, int rail, int place) {
    var taken = room;
    int before = rail;
    for (var host : transports) {
      if (taken != null && host.id().equals(transport)) {
        var keys = taken.keys(host.index());
        var offset = ((long) before * EchoRoom.PLACES + place) * EchoPage.LENGTH;
        return rail < keys.length
            ? Optional.of(new EchoRoom(keys[rail], taken.memory(), offset))
            : Optional.empty();
      }
      before += host.rails().size();
    }
    return Optional.empty();
  }
}
