package dev.shunt.runtime.discovery;

import java.util.List;
import java.util.Set;

/**
 * What one jar or folder came to.
 *
 * @param candidates what calls itself a provider there
 * @param granted its modules that may call native code
 */
record PluginPlace(List<Candidate> candidates, Set<String> granted) {
  /** Copies the lists. */
  PluginPlace {
    candidates = List.copyOf(candidates);
    granted = Set.copyOf(granted);
  }
}
