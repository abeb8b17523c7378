package dev.shunt.runtime.config;

import com.typesafe.config.Config;

/**
 * {@code shunt.metadata}.
 *
 * @param type the backend's id
 * @param section the backend's own section
 */
public record MetadataConfig(String type, Config section) {
  static MetadataConfig of(Values values) {
    var type = values.text("metadata.type");
    return new MetadataConfig(type, Sections.at(values.root(), "shunt.metadata", type));
  }
}
