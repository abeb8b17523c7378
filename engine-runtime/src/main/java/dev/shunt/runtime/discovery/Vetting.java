package dev.shunt.runtime.discovery;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.MetadataProvider;
import dev.shunt.api.spi.Provider;
import dev.shunt.api.spi.Spi;
import dev.shunt.api.spi.TransportProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Makes each candidate's instance, asks it what it is, and admits it or lists why not. They are
 * asked at the same time, so that those that hang hold up the others once and not each in its turn;
 * and admitted in order: the first of an id stays.
 */
final class Vetting {
  private final List<Found<TransportProvider>> transports = new ArrayList<>();
  private final List<Found<MetadataProvider>> metadata = new ArrayList<>();
  private final List<Found<FailoverProvider>> failover = new ArrayList<>();
  private final List<Plugin> plugins = new ArrayList<>();
  private final List<Config> defaultsOfUnused = new ArrayList<>();
  private final TreeMap<String, Admitted> admitted = new TreeMap<>();

  private final Duration limit;
  private final Set<String> exclude;

  /** How many are asked at a time. */
  private static final int AT_A_TIME = 64;

  private record Admitted(Origin origin, boolean inCode) {}

  /** Why a candidate is refused, in words. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String cause) {
      super(cause, null, false, false);
    }
  }

  /**
   * @param limit how long each may take to be made and to say what it is
   * @param exclude ids of those that are not to be used
   */
  Vetting(Duration limit, Set<String> exclude) {
    this.limit = limit;
    this.exclude = exclude;
  }

  void vet(List<Candidate> candidates) {
    for (int from = 0; from < candidates.size(); from += AT_A_TIME) {
      candidates.subList(from, Math.min(candidates.size(), from + AT_A_TIME)).stream()
          .map(this::begun)
          .toList()
          .forEach(Runnable::run);
    }
  }

  /** Asks it, if it is to be asked; what is to be done in its turn comes back. */
  private Runnable begun(Candidate candidate) {
    return switch (candidate) {
      case Candidate.Unreadable u ->
          () ->
              plugins.add(
                  new Plugin(
                      java.util.Optional.empty(),
                      u.name(),
                      "",
                      u.origin(),
                      Plugin.State.FAILED,
                      u.cause()));
      case Candidate.Broken b ->
          () -> plugins.add(Plugin.failed(b.kind(), b.className(), b.origin(), b.cause()));
      case Candidate.Loaded l -> loaded(l);
    };
  }

  Discovered discovered() {
    return new Discovered(
        transports, metadata, failover.stream().findFirst(), plugins, defaultsOfUnused);
  }

  private Runnable loaded(Candidate.Loaded candidate) {
    var name = candidate.type().getName();
    var identified = new AtomicReference<>(name);
    // Before any of its code runs: should that fail, its section is known all the same.
    var defaults = Foreign.call(() -> Reference.of(candidate.type()));
    Callable<Found<Provider>> question = () -> examine(candidate, defaults, identified);
    // What the caller handed over is its own code, and runs on its own thread.
    var asked =
        candidate.inCode() ? Asked.later(name, question) : Asked.begin(name, question, _ -> {});
    return () -> ended(candidate, asked.within(limit), defaults, identified);
  }

  private void ended(
      Candidate.Loaded candidate,
      Foreign.Result<Found<Provider>> found,
      Foreign.Result<Config> defaults,
      AtomicReference<String> identified) {
    if (found.value() != null) {
      admit(candidate, found.value());
      return;
    }
    var cause =
        found.thrown() instanceof Refused refused
            ? refused.getMessage()
            : Remedies.text(found.thrown());
    plugins.add(Plugin.failed(candidate.kind(), identified.get(), candidate.origin(), cause));
    if (defaults.value() != null) {
      defaultsOfUnused.add(defaults.value());
    }
  }

  private Found<Provider> examine(
      Candidate.Loaded candidate,
      Foreign.Result<Config> defaults,
      AtomicReference<String> identified)
      throws Exception {
    var provider = candidate.instance().get();
    if (provider == null) {
      throw new Refused("its provider method answered null");
    }
    int spi = provider.spiVersion();
    if (spi != Spi.VERSION) {
      throw new Refused(
          "it is built for version "
              + spi
              + " of the service provider interface, and this runtime has version "
              + Spi.VERSION);
    }
    var id = provider.id();
    if (id == null || !id.matches("[a-z0-9]+(-[a-z0-9]+)*")) {
      throw new Refused(
          "its id is "
              + (id == null ? "null" : "'" + id + "'")
              + "; an id is lower case letters and digits, with hyphens between");
    }
    identified.set(id);
    if (defaults.thrown() != null) {
      throw new Refused("its reference.conf is no good: " + Foreign.text(defaults.thrown()));
    }
    return new Found<>(
        candidate.kind(),
        provider,
        id,
        answered("version()", provider::version),
        List.<Capability>copyOf(answered("capabilities()", provider::capabilities)),
        candidate.origin(),
        section(candidate, defaults.value(), id));
  }

  private static Config section(Candidate.Loaded candidate, Config own, String id)
      throws Exception {
    var path = candidate.kind().section(id);
    var config =
        own.hasPath(path) || candidate.type().getModule().isNamed()
            ? own
            : Reference.anywhere(candidate.type(), path);
    return config.hasPath(path) ? config.withOnlyPath(path) : ConfigFactory.empty();
  }

  private static <T> T answered(String what, Callable<T> question) throws Exception {
    var answer = question.call();
    if (answer == null) {
      throw new Refused(what + " answered null");
    }
    return answer;
  }

  private void admit(Candidate.Loaded candidate, Found<Provider> found) {
    if (exclude.contains(found.id())) {
      plugins.add(found.plugin(Plugin.State.EXCLUDED, Discovery.EXCLUDED));
      defaultsOfUnused.add(found.defaults());
      return;
    }
    var key = candidate.kind().label() + (candidate.kind() == Kind.FAILOVER ? "" : found.id());
    var before = admitted.get(key);
    if (before == null) {
      admitted.put(key, new Admitted(found.origin(), candidate.inCode()));
      keep(found);
      plugins.add(found.plugin(Plugin.State.ACTIVE, ""));
    } else if (before.inCode()) {
      plugins.add(found.plugin(Plugin.State.DISABLED, "one given in code takes its place"));
    } else if (candidate.kind() == Kind.FAILOVER) {
      plugins.add(
          found.plugin(
              Plugin.State.FAILED,
              "there is one failover policy, and " + before.origin() + " is it"));
    } else {
      plugins.add(
          found.plugin(
              Plugin.State.FAILED, "the id " + found.id() + " is taken by " + before.origin()));
    }
  }

  private void keep(Found<Provider> found) {
    switch (found.provider()) {
      case TransportProvider p when found.kind() == Kind.TRANSPORT -> transports.add(as(found, p));
      case MetadataProvider p when found.kind() == Kind.METADATA -> metadata.add(as(found, p));
      case FailoverProvider p -> failover.add(as(found, p));
      default -> throw new IllegalStateException(found.provider().getClass() + " is no provider");
    }
  }

  private static <P extends Provider> Found<P> as(Found<Provider> found, P provider) {
    return new Found<>(
        found.kind(),
        provider,
        found.id(),
        found.version(),
        found.capabilities(),
        found.origin(),
        found.defaults());
  }
}
