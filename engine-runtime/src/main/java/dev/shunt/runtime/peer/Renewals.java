package dev.shunt.runtime.peer;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Lookup;
import dev.shunt.api.spi.MetadataBackend;
import dev.shunt.api.spi.Supervisor.Timer;
import dev.shunt.runtime.control.CallHandler;
import dev.shunt.runtime.control.ControlService;
import dev.shunt.runtime.control.PlainFunctions;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.descriptor.Descriptor;
import dev.shunt.runtime.descriptor.DescriptorLimits;
import dev.shunt.runtime.descriptor.DescriptorReader;
import dev.shunt.runtime.json.MalformedException;
import dev.shunt.runtime.transport.Steward;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what is known of nodes from growing old: reads a descriptor again when its node says that
 * it changed, when a request was refused by it, and when it has been kept for long; not so long
 * while it tells of a rail out of use. One fetch of a node's is under way at a time, and not one
 * follows on the heels of another; one that came to nothing is made up for. That a call failed is
 * no reason: it says nothing of the descriptor. On the steward's thread.
 */
final class Renewals {
  private static final Logger LOG = LoggerFactory.getLogger(Renewals.class);

  /** So often at most, however often somebody asks for it. */
  private static final long GAP = 100_000_000L;

  /**
   * After so long one that could not be read is tried again; then after twice as long, and so on.
   */
  private static final long FIRST_RETRY = 1_000_000_000L;

  private static final long LAST_RETRY = 60_000_000_000L;

  /**
   * So long one is kept that tells of a rail out of use: that it is used again may be told in vain,
   * and nothing that goes by other rails would ever find out.
   */
  private static final long KEEP_LOSS = 10_000_000_000L;

  private final Steward steward;
  private final MetadataBackend metadata;
  private final ControlService control;
  private final Renewing times;
  private final byte[] own;
  private final BiConsumer<RemoteState, Descriptor> taken;
  private final Map<String, Entry> entries = new HashMap<>();

  private static final class Entry {
    final RemoteState state;
    boolean fetching;
    boolean again;
    int failures;
    long notBefore;
    Timer alarm;

    Entry(RemoteState state) {
      this.state = state;
    }
  }

  /**
   * Nothing is kept yet.
   *
   * @param taken takes each descriptor that was read again
   */
  Renewals(
      Steward steward,
      MetadataBackend metadata,
      ControlService control,
      Renewing times,
      BiConsumer<RemoteState, Descriptor> taken) {
    this.steward = steward;
    this.metadata = metadata;
    this.control = control;
    this.times = times;
    this.own = PlainFunctions.named(times.address());
    this.taken = taken;
  }

  /** A descriptor was read, for whatever reason; it is as fresh as can be. */
  void fresh(RemoteState state) {
    var name = state.remote().name();
    var entry = entries.get(name);
    if (entry == null || entry.state != state) {
      forget(name);
      entry = new Entry(state);
      entries.put(name, entry);
    }
    if (!entry.fetching) {
      rest(entry);
    }
  }

  /** Nothing is kept of a node any more. */
  void forget(String name) {
    var entry = entries.remove(name);
    if (entry != null && entry.alarm != null) {
      entry.alarm.cancel();
    }
  }

  /** Somebody has reason to think that the descriptor is not what it was. */
  void renew(String name) {
    var entry = entries.get(name);
    if (entry == null || entry.state.stale() != null) {
      return;
    }
    if (entry.fetching) {
      // What is under way may have been answered before the change.
      entry.again = true;
    } else {
      arm(entry, Math.max(times.now(), entry.notBefore));
    }
  }

  private void rest(Entry entry) {
    entry.notBefore = times.now() + GAP;
    arm(entry, entry.again ? entry.notBefore : times.now() + keep(entry));
    entry.again = false;
  }

  private long keep(Entry entry) {
    long most = entry.state.someRailOut() ? Math.min(KEEP_LOSS, times.keep()) : times.keep();
    return entry.failures == 0
        ? most
        : Math.min(Math.min(most, LAST_RETRY), FIRST_RETRY << Math.min(entry.failures - 1, 6));
  }

  private void arm(Entry entry, long time) {
    if (entry.alarm != null) {
      entry.alarm.cancel();
    }
    entry.alarm = steward.at(time, () -> fetch(entry));
  }

  private void fetch(Entry entry) {
    var name = entry.state.remote().name();
    entry.fetching = true;
    metadata.lookup(
        name,
        times.now() + times.patience(),
        found -> steward.execute(() -> fetched(entry, name, found)));
  }

  private void fetched(Entry entry, String name, Lookup lookup) {
    if (entries.get(name) != entry) {
      return;
    }
    entry.failures = lookup instanceof Lookup.Failed ? entry.failures + 1 : 0;
    try {
      take(entry, name, lookup);
    } finally {
      entry.fetching = false;
      if (entries.get(name) == entry) {
        rest(entry);
      }
    }
  }

  private void take(Entry entry, String name, Lookup lookup) {
    switch (lookup) {
      case Lookup.Unknown(var text) -> LOG.debug("{} is not described any more: {}", name, text);
      case Lookup.Failed(var fault) ->
          LOG.debug("the descriptor of {} was not renewed: {}", name, fault.text());
      case Lookup.Found(var text) -> {
        try {
          var descriptor = DescriptorReader.read(name, text, DescriptorLimits.DEFAULT);
          subscribe(descriptor);
          taken.accept(entry.state, descriptor);
        } catch (MalformedException e) {
          LOG.warn("the new descriptor of {} is no good: {}", name, e.getMessage());
        }
      }
    }
  }

  /**
   * Looks once whether a node that does not answer has another address by now: only a central
   * registry can tell, and any other would be asked in vain.
   *
   * @param worth whether that could be at all
   * @param there takes the descriptor with the other address
   */
  void moved(
      Descriptor old, boolean worth, long deadline, Consumer<Descriptor> there, Runnable nowhere) {
    if (!worth || !metadata.central()) {
      nowhere.run();
      return;
    }
    metadata.lookup(
        old.name(),
        deadline,
        found ->
            steward.execute(
                () ->
                    read(old.name(), found)
                        .filter(fresh -> !fresh.control().equals(old.control()))
                        .ifPresentOrElse(there, nowhere)));
  }

  /** A descriptor that was looked up; empty if there is none that can be read. */
  private static Optional<Descriptor> read(String name, Lookup lookup) {
    if (lookup instanceof Lookup.Found(var text)) {
      try {
        return Optional.of(DescriptorReader.read(name, text, DescriptorLimits.DEFAULT));
      } catch (MalformedException e) {
        LOG.warn("the new descriptor of {} is no good: {}", name, e.getMessage());
      }
    }
    return Optional.empty();
  }

  /** Asks a node to tell of changes: after each fetch, as TENT does, and for what it is worth. */
  void subscribe(Descriptor descriptor) {
    control.call(
        descriptor.control(),
        Functions.SUBSCRIBE,
        own,
        times.now() + times.patience(),
        new CallHandler() {
          @Override
          public void reply(byte[] attachment) {
            // An answer says nothing, whatever it holds.
          }

          @Override
          public void failed(Fault fault) {
            LOG.debug("not subscribed to {}: {}", descriptor.name(), fault.text());
          }
        });
  }
}
