package dev.shunt.policy.failover;

import com.typesafe.config.Config;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.FailoverSettings;
import dev.shunt.api.spi.Spi;
import dev.shunt.policy.failover.core.Thresholds;
import java.util.TreeMap;

/** Provides this module's policy. */
public final class ShuntFailoverProvider implements FailoverProvider {
  /** Does nothing. */
  public ShuntFailoverProvider() {}

  @Override
  public String id() {
    return "failover";
  }

  @Override
  public int spiVersion() {
    return Spi.VERSION;
  }

  @Override
  public String version() {
    return "0.1.0";
  }

  @Override
  public void validate(Config config) {
    Settings.limits(config);
    Settings.unfenced(config);
    Settings.rails(config);
  }

  @Override
  public FailoverPolicy create(FailoverSettings settings) {
    var thresholds = new TreeMap<String, Thresholds>();
    settings
        .rails()
        .forEach((transport, section) -> thresholds.put(transport, Settings.thresholds(section)));
    return new ShuntFailoverPolicy(
        Settings.limits(settings.failover()),
        Settings.unfenced(settings.failover()),
        thresholds,
        Settings.rails(settings.failover()),
        Settings.peers(settings.peerHealth()));
  }
}
