package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;

/** Plug-ins' sections. */
final class Sections {
  private Sections() {}

  /** The section of a plug-in; empty if it has none. An id with dots is a path. */
  static Config at(Config root, String parent, String id) {
    try {
      var path = id.isEmpty() ? parent : parent + "." + id;
      return root.hasPath(path) ? root.getConfig(path) : ConfigFactory.empty();
    } catch (ConfigException noSection) {
      // A text that is no id, or no section's: whoever looks the id up tells so.
      return ConfigFactory.empty();
    }
  }
}
