package dev.shunt.runtime.discovery;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Optional;

/**
 * Reads the {@code reference.conf} of a class's own module. On the class path, where all have one
 * of that name, it is the file in the same jar or folder as the class.
 */
public final class Reference {
  private static final String NAME = "reference.conf";

  private Reference() {}

  /** The runtime's own. */
  public static Config ofRuntime() {
    return Foreign.call(() -> of(Reference.class)).value();
  }

  /**
   * That of a class's module, resolved in itself; empty if it has none.
   *
   * @throws IOException if it cannot be read
   * @throws com.typesafe.config.ConfigException if it is no good
   */
  static Config of(Class<?> type) throws IOException {
    var module = type.getModule();
    if (module.isNamed()) {
      try (var in = module.getResourceAsStream(NAME)) {
        return in == null ? ConfigFactory.empty() : parse(in, module.getName() + "/" + NAME);
      }
    }
    var url = beside(type);
    return url.isEmpty() ? ConfigFactory.empty() : parse(url.get());
  }

  /**
   * The first on the class's loader that has something at a path: for a provider whose class stands
   * apart from the module that it belongs to, as a test's does.
   */
  static Config anywhere(Class<?> type, String path) throws IOException {
    var loader = type.getClassLoader();
    if (loader != null) {
      for (var url : Collections.list(loader.getResources(NAME))) {
        var config = parse(url);
        if (config.hasPath(path)) {
          return config;
        }
      }
    }
    return ConfigFactory.empty();
  }

  private static Optional<URL> beside(Class<?> type) throws IOException {
    var source = type.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return Optional.empty();
    }
    var location = source.getLocation().toString();
    var url =
        location.endsWith("/")
            ? URI.create(location + NAME).toURL()
            : URI.create("jar:" + location + "!/" + NAME).toURL();
    var connection = url.openConnection();
    connection.setUseCaches(false);
    try (var in = connection.getInputStream()) {
      return in == null ? Optional.empty() : Optional.of(url);
    } catch (java.io.FileNotFoundException none) {
      return Optional.empty();
    }
  }

  private static Config parse(URL url) throws IOException {
    var connection = url.openConnection();
    connection.setUseCaches(false);
    try (var in = connection.getInputStream()) {
      return parse(in, url.toString().replaceFirst("^(jar:)?file:", ""));
    }
  }

  private static Config parse(InputStream in, String from) {
    var options = ConfigParseOptions.defaults().setOriginDescription(from);
    return ConfigFactory.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8), options)
        .resolve(ConfigResolveOptions.noSystem());
  }
}
