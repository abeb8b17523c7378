package dev.shunt.runtime.config;

import dev.shunt.runtime.discovery.Discovered;
import java.util.List;

/**
 * What an engine starts with.
 *
 * @param config its values
 * @param discovered its plug-ins; what configuration does not want is disabled
 * @param notes what is worth a line in a log, and no mistake
 */
public record Loaded(EngineConfig config, Discovered discovered, List<String> notes) {
  /** Copies the list. */
  public Loaded {
    notes = List.copyOf(notes);
  }
}
