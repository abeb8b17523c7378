package dev.shunt.runtime.engine;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.shunt.api.Engine;
import dev.shunt.api.EngineBuilder;
import dev.shunt.api.EngineFactory;
import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.MetadataProvider;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.runtime.admin.Recorder;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.agent.ThreadPlatform;
import dev.shunt.runtime.config.ConfigFile;
import dev.shunt.runtime.config.ConfigLayers;
import dev.shunt.runtime.config.ConfigLoader;
import dev.shunt.runtime.config.Loaded;
import dev.shunt.runtime.discovery.Given;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The service by which applications find this runtime. */
public final class RuntimeFactory implements EngineFactory {
  /** For the service loader. */
  public RuntimeFactory() {}

  @Override
  public Engine open(Config config) {
    return builder().config(config).open();
  }

  @Override
  public EngineBuilder builder() {
    return new Builder();
  }

  /** Starts an engine on a platform of the caller's. */
  public static ShuntEngine start(Loaded loaded, Platform platform) {
    // Before the node, whose first steps are worth a look too.
    var recorder = Recorder.start(loaded.config().recorder());
    try {
      return new ShuntEngine(new Node(loaded, platform), recorder);
    } catch (RuntimeException | Error failed) {
      recorder.ifPresent(Recorder::close);
      throw failed;
    }
  }

  private static final class Builder implements EngineBuilder {
    private final Map<String, Object> values = new LinkedHashMap<>();
    private final List<TransportProvider> transports = new ArrayList<>();
    private final List<MetadataProvider> backends = new ArrayList<>();
    private Optional<Config> config = Optional.empty();
    private Optional<FailoverProvider> failover = Optional.empty();

    @Override
    public EngineBuilder set(String path, Object value) {
      values.put(path, value);
      return this;
    }

    @Override
    public EngineBuilder config(Config given) {
      config = Optional.of(given);
      return this;
    }

    @Override
    public EngineBuilder file(Path file) {
      return config(ConfigFile.read(file));
    }

    @Override
    public EngineBuilder transport(TransportProvider provider) {
      transports.add(provider);
      return this;
    }

    @Override
    public EngineBuilder metadata(MetadataProvider provider) {
      backends.add(provider);
      return this;
    }

    @Override
    public EngineBuilder failover(FailoverProvider provider) {
      failover = Optional.of(provider);
      return this;
    }

    @Override
    public Engine open() {
      var layers = new ConfigLayers(values, config.orElseGet(ConfigFactory::empty));
      var loaded = ConfigLoader.load(layers, new Given(transports, backends, failover));
      return start(loaded, new ThreadPlatform("shunt-"));
    }
  }
}
