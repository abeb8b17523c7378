package dev.shunt.api.spi;

import com.typesafe.config.Config;
import java.util.Map;

/**
 * What a failover policy is configured with.
 *
 * @param failover {@code shunt.failover}
 * @param peerHealth {@code shunt.peer-health}
 * @param rails what a transport sets of rails: {@code rail-error-threshold}, {@code
 *     rail-error-window}, {@code rail-cooldown}, {@code rail-max-cooldown}, by the transport's id
 */
public record FailoverSettings(Config failover, Config peerHealth, Map<String, Config> rails) {}
