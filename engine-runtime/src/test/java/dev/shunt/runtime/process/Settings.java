package dev.shunt.runtime.process;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import dev.shunt.api.Engine;
import dev.shunt.api.EngineBuilder;
import dev.shunt.runtime.engine.RuntimeFactory;
import java.util.List;

/** Settings as on a command line: a key and a value that follows a sign of equality. */
final class Settings {
  private static final List<String> ALL =
      List.of("transports.rdma.enable=false", "transports.nof.enable=false");

  private Settings() {}

  /** A builder with those. */
  static EngineBuilder builder(List<String> settings) {
    var builder = new RuntimeFactory().builder();
    ALL.forEach(setting -> set(builder, setting));
    settings.forEach(setting -> set(builder, setting));
    return builder;
  }

  /** An engine with those. */
  static Engine open(List<String> settings) {
    return builder(settings).open();
  }

  private static void set(EngineBuilder builder, String setting) {
    var parts = setting.split("=", 2);
    var value = ConfigFactory.parseString("v = " + parts[1]).getAnyRef(ConfigUtil.joinPath("v"));
    builder.set(parts[0], value);
  }
}
