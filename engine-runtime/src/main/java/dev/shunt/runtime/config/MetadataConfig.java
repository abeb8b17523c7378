package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import java.time.Duration;

/**
 * {@code shunt.metadata}.
 *
 * @param type the backend's id
 * @param descriptorTtl how long a descriptor is kept
 * @param section the backend's own section
 */
public record MetadataConfig(String type, Duration descriptorTtl, Config section) {
  static MetadataConfig of(Values values) {
    var type = values.text("metadata.type");
    return new MetadataConfig(
        type,
        values.time("metadata.descriptor-ttl"),
        Sections.at(values.root(), "shunt.metadata", type));
  }
}
