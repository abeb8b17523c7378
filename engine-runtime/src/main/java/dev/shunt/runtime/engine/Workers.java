package dev.shunt.runtime.engine;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.FailoverSettings;
import dev.shunt.api.spi.MetadataBackend;
import dev.shunt.api.spi.MetadataContext;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.runtime.config.EngineConfig;
import dev.shunt.runtime.config.TransportConfig;
import dev.shunt.runtime.discovery.Asked;
import dev.shunt.runtime.discovery.Discovered;
import dev.shunt.runtime.discovery.Found;
import dev.shunt.runtime.discovery.Plugin;
import dev.shunt.runtime.discovery.Remedies;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Journal;
import dev.shunt.runtime.transport.TransportHost;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Makes the workers of providers. Plug-ins' code runs here: whatever one throws costs the others
 * nothing, and the provider is listed as FAILED with the cause.
 */
final class Workers {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

  private final EngineConfig config;
  private final Journal journal;
  private Discovered left;

  Workers(Discovered found, EngineConfig config, Journal journal) {
    this.journal = journal;
    this.left = found;
    this.config = config;
    for (var plugin : found.failed()) {
      var status = plugin.status();
      journal.pluginRefused(status.kind(), status.id(), status.origin(), status.cause());
    }
  }

  /** Makes and starts a transport of one provider, on a thread that may be given up. */
  interface Starting {
    TransportHost start(Found<TransportProvider> provider, TransportConfig settings);
  }

  /** What is in use after all that was made so far. */
  Discovered left() {
    return left;
  }

  /**
   * Makes the metadata backend.
   *
   * @throws ShuntException with CONFIGURATION if that fails: there is no engine without one
   */
  MetadataBackend backend(MetadataContext context) {
    var type = config.metadata().type();
    var provider = left.metadata(type).orElseThrow(() -> noBackend(type));
    var made =
        provider.ask(
            limit(), () -> some(provider.provider().create(context)), MetadataBackend::close);
    if (made.thrown() != null) {
      throw new ShuntException(
          FailureCode.CONFIGURATION,
          "shunt.metadata.type is "
              + type
              + ", and that backend ("
              + provider.origin()
              + ") could not be made: "
              + Remedies.text(made.thrown()),
          made.thrown());
    }
    return made.value();
  }

  private ShuntException noBackend(String type) {
    return new ShuntException(
        FailureCode.CONFIGURATION,
        "shunt.metadata.type is "
            + type
            + ", and there is no such backend in this image; there are "
            + left.metadata().stream().map(Found::id).toList());
  }

  /** Makes the failover policy; one that does not work counts as none. */
  FailoverPolicy policy() {
    if (left.failover().isEmpty()) {
      return new NoFailover();
    }
    var provider = left.failover().get();
    var settings = new FailoverSettings(config.failover(), config.peerHealth(), config.rails());
    var made = provider.ask(limit(), () -> some(provider.provider().create(settings)), _ -> {});
    if (made.thrown() != null) {
      failed(provider, "it could not be made: ", made.thrown());
      return new NoFailover();
    }
    return made.value();
  }

  /**
   * Starts the transports that configuration wants, the preferred ones first.
   *
   * @param started takes each that started, on the caller's thread
   * @throws ShuntException with CONFIGURATION if one that is required, or all of whose rails are,
   *     did not start
   */
  void transports(Starting starting, Consumer<TransportHost> started) {
    var preferred = new ArrayList<>(left.transports());
    preferred.sort(
        Comparator.comparingInt((Found<?> t) -> config.transfer().rank(t.id()))
            .thenComparing(Found::id));
    preferred.removeIf(
        t -> {
          var settings = config.transports().get(t.id());
          return settings == null || !settings.enable();
        });
    // At the same time, so that those that hang hold up the others once; and taken in order.
    var all = new ArrayDeque<Begun>();
    preferred.forEach(provider -> all.add(begun(starting, provider)));
    try {
      while (!all.isEmpty()) {
        ended(all.poll(), started);
      }
    } finally {
      all.forEach(begun -> begun.host().giveUp());
    }
    left.require(config.plugins().required());
  }

  private record Begun(Found<TransportProvider> provider, Asked<TransportHost> host) {}

  private Begun begun(Starting starting, Found<TransportProvider> provider) {
    var settings = config.transports().get(provider.id());
    return new Begun(
        provider, provider.asked(() -> starting.start(provider, settings), TransportHost::abandon));
  }

  private void ended(Begun begun, Consumer<TransportHost> started) {
    var provider = begun.provider();
    var made = begun.host().within(limit());
    if (made.value() != null) {
      started.accept(made.value());
    }
    var thrown = made.thrown();
    if (thrown != null) {
      journal.transport(Change.TRANSPORT_FAILED, provider.id(), 0, Remedies.text(thrown));
    }
    if (thrown instanceof TransportException e) {
      refuseIfStrict(provider.id(), config.transports().get(provider.id()), e);
      // That a machine has no such device is nobody's fault; all else is worth a look.
      LOG.atLevel(e.code() == FailureCode.UNSUPPORTED ? Level.INFO : Level.WARN)
          .log("{} is not used: {}", provider.id(), e.getMessage());
      left = left.without(provider, Plugin.State.FAILED, e.getMessage());
    } else if (thrown != null) {
      failed(provider, "it could not be started: ", thrown);
    }
  }

  /** Whoever wants all rails or none does not want a node that goes on without them. */
  private static void refuseIfStrict(String id, TransportConfig settings, TransportException e) {
    if (settings.section().getBoolean("strict-rails")) {
      throw new ShuntException(
          FailureCode.CONFIGURATION,
          "shunt.transports." + id + ".strict-rails is set, and " + e.getMessage(),
          e);
    }
  }

  private void failed(Found<?> provider, String what, Throwable thrown) {
    var cause = what + Remedies.text(thrown);
    LOG.error("{} of {}: {}", provider.id(), provider.origin(), cause);
    LOG.debug("{} of {}, as it was thrown", provider.id(), provider.origin(), thrown);
    left = left.without(provider, Plugin.State.FAILED, cause);
  }

  private Duration limit() {
    return config.plugins().loadTimeout();
  }

  private static <T> T some(T made) {
    return Objects.requireNonNull(made, "create() answered null");
  }
}
