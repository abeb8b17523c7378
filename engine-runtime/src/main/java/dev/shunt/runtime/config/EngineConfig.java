package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The values that an engine runs with. Immutable; many engines may share one.
 *
 * @param name the node's name, or an empty text
 * @param closeTimeout how long closing may take
 * @param control the control plane
 * @param rpc its calls
 * @param transfer transfers
 * @param arenaCloseTimeout how long closing an arena may take
 * @param inboxSize most notifications that wait
 * @param rpcFallback whether plain peers are sent notifications over their control plane
 * @param metadata where descriptors are found
 * @param failover {@code shunt.failover}, for the policy; empty without one
 * @param peerHealth {@code shunt.peer-health}, for the policy
 * @param capabilities what is wanted of capabilities, by id; see {@link #capability}
 * @param plugins where plug-ins are
 * @param admin what operators are answered
 * @param recorder the flight recorder
 * @param transports by id
 * @param merged all of it, as it was resolved
 */
public record EngineConfig(
    String name,
    Duration closeTimeout,
    ControlConfig control,
    RpcConfig rpc,
    TransferConfig transfer,
    Duration arenaCloseTimeout,
    int inboxSize,
    boolean rpcFallback,
    MetadataConfig metadata,
    Config failover,
    Config peerHealth,
    Map<String, CapabilityUse> capabilities,
    PluginsConfig plugins,
    AdminConfig admin,
    RecorderConfig recorder,
    Map<String, TransportConfig> transports,
    Config merged) {
  /** Sorts and copies the maps. */
  public EngineConfig {
    capabilities = Collections.unmodifiableMap(new TreeMap<>(capabilities));
    transports = Collections.unmodifiableMap(new TreeMap<>(transports));
  }

  /**
   * Reads what {@link ConfigLoader} has merged and checked.
   *
   * @throws InvalidConfigurationException if a value is out of range, or of a wrong type after all
   */
  public static EngineConfig of(Config merged) {
    var problems = new ArrayList<Problem>();
    try {
      var config = read(merged, problems);
      if (problems.isEmpty()) {
        return config;
      }
    } catch (ConfigException e) {
      problems.add(Values.unchecked(e));
    }
    throw new InvalidConfigurationException(problems);
  }

  /**
   * The same with other values: cheap, for one node among many. Keys are not checked.
   *
   * @param values by a path under {@code shunt}
   */
  public EngineConfig with(Map<String, ?> values) {
    var changed = merged;
    for (var entry : values.entrySet()) {
      changed =
          changed.withValue(
              "shunt." + entry.getKey(), ConfigLayers.value(entry.getKey(), entry.getValue()));
    }
    return of(changed);
  }

  /** What is wanted of a capability. */
  public CapabilityUse capability(String id) {
    return capabilities.getOrDefault(id, CapabilityUse.DEFAULT);
  }

  /** {@code shunt.transports.ID} of each transport: what a failover policy asks for. */
  public Map<String, Config> rails() {
    var rails = new TreeMap<String, Config>();
    transports.forEach((id, transport) -> rails.put(id, transport.section()));
    return rails;
  }

  static EngineConfig read(Config merged, List<Problem> problems) {
    var values = new Values(merged, problems);
    var transports = new TreeMap<String, TransportConfig>();
    for (var id : merged.getObject("shunt.transports").keySet()) {
      transports.put(id, TransportConfig.of(values, id));
    }
    return new EngineConfig(
        values.text("name"),
        values.time("close-timeout", Duration.ZERO),
        ControlConfig.of(values),
        RpcConfig.of(values),
        TransferConfig.of(values),
        values.time("memory.close-timeout", Duration.ZERO),
        values.number("notification.inbox-size", 1, 1 << 24),
        values.flag("notification.rpc-fallback"),
        MetadataConfig.of(values),
        section(merged, "shunt.failover"),
        peerHealth(values),
        CapabilityUse.all(values),
        PluginsConfig.of(values),
        AdminConfig.of(values),
        RecorderConfig.of(values),
        transports,
        merged);
  }

  /** The policy reads it again; what is wrong is told here, with all the rest. */
  private static Config peerHealth(Values values) {
    values.flag("peer-health.enable");
    var cooldown = values.time("peer-health.cooldown");
    var most = values.time("peer-health.max-cooldown", cooldown);
    values.time("peer-health.probe-interval");
    values.time("peer-health.max-age", most);
    return values.root().getConfig("shunt.peer-health");
  }

  private static Config section(Config merged, String path) {
    return merged.hasPath(path) ? merged.getConfig(path) : ConfigFactory.empty();
  }
}
