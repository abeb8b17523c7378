package dev.shunt.runtime.discovery;

import com.typesafe.config.Config;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.MetadataProvider;
import dev.shunt.api.spi.TransportProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * What was found.
 *
 * @param transports those in use
 * @param metadata those in use
 * @param failover the one in use
 * @param plugins all of them, also those that failed, in the order of finding
 * @param defaultsOfUnused the {@code reference.conf} of those that failed, as far as it was
 *     readable, or that are excluded: their sections are known, though nobody reads them
 */
public record Discovered(
    List<Found<TransportProvider>> transports,
    List<Found<MetadataProvider>> metadata,
    Optional<Found<FailoverProvider>> failover,
    List<Plugin> plugins,
    List<Config> defaultsOfUnused) {
  /** Copies the lists. */
  public Discovered {
    transports = List.copyOf(transports);
    metadata = List.copyOf(metadata);
    plugins = List.copyOf(plugins);
    defaultsOfUnused = List.copyOf(defaultsOfUnused);
  }

  /** All that are in use. */
  public List<Found<?>> active() {
    var all = new ArrayList<Found<?>>(transports);
    all.addAll(metadata);
    failover.ifPresent(all::add);
    return all;
  }

  /** The transport of that id, if it is in use. */
  public Optional<Found<TransportProvider>> transport(String id) {
    return transports.stream().filter(f -> f.id().equals(id)).findFirst();
  }

  /** The metadata backend of that id, if it is in use. */
  public Optional<Found<MetadataProvider>> metadata(String id) {
    return metadata.stream().filter(f -> f.id().equals(id)).findFirst();
  }

  /** Those that do not work. */
  public List<Plugin> failed() {
    return plugins.stream().filter(p -> p.state() == Plugin.State.FAILED).toList();
  }

  /** The same with one provider no longer in use. */
  public Discovered without(Found<?> out, Plugin.State state, String cause) {
    BiFunction<Found<?>, Plugin, Boolean> is =
        (f, p) ->
            p.state() == Plugin.State.ACTIVE
                && p.kind().equals(Optional.of(f.kind()))
                && p.id().equals(f.id());
    return new Discovered(
        transports.stream().filter(f -> f != out).toList(),
        metadata.stream().filter(f -> f != out).toList(),
        failover.filter(f -> f != out),
        plugins.stream().map(p -> is.apply(out, p) ? p.as(state, cause) : p).toList(),
        defaultsOfUnused);
  }

  /**
   * The same after transports were asked what this machine lacks for them: those that tell
   * something do not work. None is started.
   *
   * @param limit how long each may take; they are asked at the same time
   */
  public Discovered looked(Duration limit) {
    var asked = new LinkedHashMap<Found<TransportProvider>, Asked<Optional<String>>>();
    for (var found : transports) {
      asked.put(found, found.asked(() -> found.provider().missing(), _ -> {}));
    }
    var left = this;
    for (var one : asked.entrySet()) {
      var answer = one.getValue().within(limit);
      if (answer.thrown() != null) {
        var cause = "it could not say what it misses: " + Remedies.text(answer.thrown());
        left = left.without(one.getKey(), Plugin.State.FAILED, cause);
      } else if (answer.value().isPresent()) {
        left = left.without(one.getKey(), Plugin.State.FAILED, answer.value().get());
      }
    }
    return left;
  }

  /**
   * Refuses to go on unless these plug-ins are in use.
   *
   * @param ids as {@code shunt.plugins.required} lists them
   * @throws ShuntException with CONFIGURATION, naming each that is missing and why
   */
  public void require(List<String> ids) {
    var missing = missing(ids);
    if (!missing.isEmpty()) {
      throw new ShuntException(
          FailureCode.CONFIGURATION,
          "shunt.plugins.required is not met: " + String.join("; ", missing));
    }
  }

  /** Those of some plug-ins that are not in use, and why, in words. */
  public List<String> missing(List<String> ids) {
    var missing = new ArrayList<String>();
    for (var id : ids) {
      if (active().stream().noneMatch(f -> f.id().equals(id))) {
        missing.add(id + whyNot(id));
      }
    }
    return missing;
  }

  private String whyNot(String id) {
    var own = plugins.stream().filter(p -> p.id().equals(id)).map(Plugin::describe).toList();
    if (!own.isEmpty()) {
      return " is not in use: " + String.join("; ", own);
    }
    var failed = failed();
    return failed.isEmpty()
        ? " was not found; there are " + active().stream().map(Found::id).toList()
        : " was not found; what failed: "
            + String.join("; ", failed.stream().map(Plugin::describe).toList());
  }
}
