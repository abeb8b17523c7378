package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Registration;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportException;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsRegion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Memory that rails know. It can be registered while a rail's context is of no use, or is made
 * anew: the rail gets it with its next one, and nobody reaches memory through it before. What is
 * large is registered on all rails at the same time, on threads of its own, since each page of it
 * is pinned; one after the other on each rail. The supervisor's.
 */
final class Registrations {
  /** From so many bytes on, pinning takes longer than a thread of its own. */
  static final long LARGE = 1 << 20;

  /** Registrations that wait for a rail. */
  private static final int MOST_WAITING = 65_536;

  private final TransportContext context;
  private final RdmaSettings settings;
  private final LinkedHashSet<RdmaKey> keys = new LinkedHashSet<>();
  private final Map<RdmaRail, Queue> queues = new LinkedHashMap<>();
  private final Set<Large> open = new LinkedHashSet<>();

  /** What a context did not let go of when it was of no use any more. */
  private final List<RdmaKey> orphans = new ArrayList<>();

  private boolean closed;

  Registrations(TransportContext context, RdmaSettings settings) {
    this.context = context;
    this.settings = settings;
  }

  /** Registers on one rail, here and now. */
  RdmaKey register(RdmaRail rail, Region region) {
    var key = new RdmaKey(rail, region.memory(), access(region));
    try {
      pinHere(key);
    } catch (VerbsException e) {
      throw refused(key, e);
    }
    keys.add(key);
    return key;
  }

  private void pinHere(RdmaKey key) {
    var rail = key.rail();
    if (!rail.life().lost()) {
      key.register(pin(rail.device(), key), rail.context());
    }
  }

  /** Registers on rails: on all, or on none. */
  void register(List<? extends Rail> rails, Region region, Consumer<Registration> answer) {
    if (region.length() >= LARGE && !rails.isEmpty()) {
      var large = new Large(rails, region, answer);
      open.add(large);
      large.keys.forEach(key -> queue(key.rail()).add(large, key));
      return;
    }
    var made = new ArrayList<RegionKey>();
    try {
      rails.forEach(rail -> made.add(register((RdmaRail) rail, region)));
    } catch (TransportException e) {
      made.forEach(key -> drop((RdmaKey) key));
      answer.accept(new Registration.Refused(e));
      return;
    }
    answer.accept(new Registration.Made(made));
  }

  private static int access(Region region) {
    int access = region.memory().isReadOnly() ? 0 : Verbs.ACCESS_LOCAL_WRITE;
    access |= region.access().writable() ? Verbs.ACCESS_REMOTE_WRITE : 0;
    access |= region.access().readable() ? Verbs.ACCESS_REMOTE_READ : 0;
    return access;
  }

  /** May take long, and is done on any thread. */
  VerbsRegion pin(RdmaDevice device, RdmaKey key) {
    return device.register(key.memory(), key.access(), settings.relaxedOrdering());
  }

  private static TransportException refused(RdmaKey key, VerbsException e) {
    long bytes = key.memory().byteSize();
    return new TransportException(
        FailureCode.RESOURCE,
        "registering " + bytes + " bytes: " + e.getMessage() + LockedMemory.hint(e, bytes),
        e);
  }

  /** One that cannot be ended stays among them, and is tried again at the close. */
  private void drop(RdmaKey key) {
    if (!key.registered() || key.region().close() == 0) {
      keys.remove(key);
    }
  }

  /** Ends a registration. */
  void unregister(RdmaKey key) {
    int error = key.registered() ? key.region().close() : 0;
    if (error != 0) {
      if (!key.rail().life().lost() || key.rail().inUse()) {
        throw new TransportException(
            FailureCode.DEVICE, "deregistering memory: " + VerbsException.text(error));
      }
      // No QP is left that could reach it. It goes with its context.
      orphans.add(key);
    }
    keys.remove(key);
  }

  /** Whether it still is one. */
  boolean has(RdmaKey key) {
    return keys.contains(key);
  }

  /** Takes from a rail's context what it has registered; it is registered nowhere then. */
  List<VerbsRegion> strip(RdmaRail rail) {
    var regions = new ArrayList<VerbsRegion>();
    var mine = new ArrayList<>(of(rail));
    orphans.stream().filter(key -> key.rail() == rail).forEach(mine::add);
    for (var key : mine) {
      if (key.registered()) {
        regions.add(key.region());
        key.forget();
      }
    }
    orphans.removeAll(mine);
    return regions;
  }

  /** What is registered on a rail. */
  List<RdmaKey> of(RdmaRail rail) {
    return keys.stream().filter(key -> key.rail() == rail).toList();
  }

  /** Whether a device is registering memory just now: it must not be closed. */
  boolean busy(RdmaDevice device) {
    return queues.values().stream().anyMatch(q -> q.calls.contains(device));
  }

  /** Ends all; answers with what could not be ended. */
  List<String> close() {
    closed = true;
    for (var large : List.copyOf(open)) {
      large.fail(new TransportException(FailureCode.CLOSED, "the transport closes"));
    }
    var left = new ArrayList<String>();
    keys.addAll(orphans);
    for (var key : keys) {
      if (key.registered() && key.region().close() != 0) {
        left.add("a memory region of " + key.rail());
      }
    }
    keys.clear();
    return left;
  }

  private Queue queue(RdmaRail rail) {
    return queues.computeIfAbsent(rail, Queue::new);
  }

  /** Memory that is registered on several rails at a time. */
  private final class Large {
    private final List<RdmaKey> keys;
    private final Consumer<Registration> answer;
    private int missing;
    private boolean over;

    Large(List<? extends Rail> rails, Region region, Consumer<Registration> answer) {
      this.answer = answer;
      keys =
          rails.stream()
              .map(rail -> new RdmaKey((RdmaRail) rail, region.memory(), access(region)))
              .toList();
      missing = keys.size();
    }

    void made(RdmaKey key, Pinned pinned) {
      if (over) {
        // Whoever asked was told that it failed: nobody has this key.
        pinned.close();
        return;
      }
      try {
        take(key, pinned);
      } catch (VerbsException e) {
        fail(refused(key, e));
        return;
      }
      Registrations.this.keys.add(key);
      if (--missing == 0) {
        over = true;
        open.remove(this);
        answer.accept(new Registration.Made(List.copyOf(keys)));
      }
    }

    /** Its rail may have another context by now, or wait for one. */
    private void take(RdmaKey key, Pinned pinned) {
      var rail = key.rail();
      if (!rail.life().lost() && pinned.context() == rail.context()) {
        key.register(pinned.region(), pinned.context());
      } else {
        pinned.close();
        pinHere(key);
      }
    }

    void fail(TransportException why) {
      if (!over) {
        over = true;
        open.remove(this);
        // Also what waits for its rail's next context: that would register it for nobody.
        keys.stream().filter(Registrations.this::has).forEach(Registrations.this::drop);
        answer.accept(new Registration.Refused(why));
      }
    }
  }

  private record Waiting(Large large, RdmaKey key) {}

  /** What a call that pins came to: a region, a failure, or nothing where there is no context. */
  private record Pinned(VerbsRegion region, int context, VerbsException failure) {
    static final Pinned NOTHING = new Pinned(null, -1, null);

    void close() {
      if (region != null) {
        region.close();
      }
    }
  }

  /** What one rail registers, in order. */
  private final class Queue {
    private final RdmaRail rail;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final List<RdmaDevice> calls = new ArrayList<>();
    private boolean busy;

    Queue(RdmaRail rail) {
      this.rail = rail;
    }

    void add(Large large, RdmaKey key) {
      if (waiting.size() >= MOST_WAITING) {
        large.fail(
            new TransportException(
                FailureCode.RESOURCE,
                waiting.size() + " registrations wait for " + rail + " already"));
        return;
      }
      waiting.add(new Waiting(large, key));
      next();
    }

    private void next() {
      while (!busy && !closed && !waiting.isEmpty()) {
        var first = waiting.poll();
        if (!first.large.over) {
          begin(first);
        }
      }
    }

    private void begin(Waiting first) {
      if (rail.life().lost()) {
        first.large.made(first.key, Pinned.NOTHING);
        return;
      }
      var device = rail.device();
      int number = rail.context();
      busy = true;
      calls.add(device);
      context
          .attempts()
          .run(
              "registering " + first.key.memory().byteSize() + " bytes with " + rail,
              () -> pinned(device, number, first.key),
              context.now() + settings.registerTimeout().toNanos(),
              (pinned, fault) -> ended(first, device, pinned, fault),
              pinned -> late(device, pinned));
    }

    private Pinned pinned(RdmaDevice device, int number, RdmaKey key) {
      try {
        return new Pinned(pin(device, key), number, null);
      } catch (VerbsException e) {
        return new Pinned(null, number, e);
      }
    }

    private void ended(Waiting first, RdmaDevice device, Pinned pinned, Fault fault) {
      busy = false;
      if (fault != null) {
        // After its deadline the call goes on, and comes late.
        if (fault.code() != FailureCode.DEADLINE) {
          calls.remove(device);
        }
        first.large.fail(new TransportException(FailureCode.RESOURCE, fault.text()));
      } else {
        if (pinned.failure() == null || rail.life().lost()) {
          first.large.made(first.key, pinned);
        } else {
          first.large.fail(refused(first.key, pinned.failure()));
        }
        calls.remove(device);
      }
      next();
    }

    private void late(RdmaDevice device, Pinned pinned) {
      pinned.close();
      calls.remove(device);
    }
  }
}
