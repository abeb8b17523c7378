package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import dev.shunt.runtime.discovery.Discovered;
import dev.shunt.runtime.discovery.Kind;
import dev.shunt.runtime.discovery.Reference;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The modules' defaults, one over the other; a plug-in's count in its own section only. */
final class Defaults {
  private static final List<String> PLUGIN_SECTIONS =
      List.of("shunt.transports", "shunt.metadata", "shunt.failover");

  private Defaults() {}

  static Config of(Discovered discovered) {
    var all = Reference.ofRuntime();
    for (var found : discovered.active()) {
      var section = ConfigFactory.empty().atPath(found.section());
      all = all.withFallback(found.defaults()).withFallback(section);
      if (found.kind() == Kind.TRANSPORT) {
        all = all.withFallback(ofEachTransport().atPath(found.section()));
      }
    }
    for (var unused : discovered.defaultsOfUnused()) {
      for (var section : PLUGIN_SECTIONS) {
        if (unused.hasPath(section)) {
          all = all.withFallback(unused.withOnlyPath(section));
        }
      }
    }
    return all;
  }

  /** The same with what each transport has, for those that are not used. */
  static Config known(Discovered discovered) {
    var all = of(discovered);
    if (all.root().get("shunt") instanceof ConfigObject shunt
        && shunt.get("transports") instanceof ConfigObject transports) {
      for (var id : transports.keySet()) {
        all = all.withFallback(ofEachTransport().atKey(id).atPath("shunt.transports"));
      }
    }
    return all;
  }

  private static Config ofEachTransport() {
    try (var in = Defaults.class.getResourceAsStream("transport.conf")) {
      return ConfigFactory.parseReader(
          new InputStreamReader(in, StandardCharsets.UTF_8),
          ConfigParseOptions.defaults().setOriginDescription("each transport's defaults"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
