package dev.shunt.api.spi;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** What two nodes agreed on: for each capability, the version in use. Immutable. */
public final class Verdict {
  /** Nothing beyond the plain wire. */
  public static final Verdict PLAIN = new Verdict(Map.of());

  private final Map<String, Integer> versions;

  /** A verdict with these versions, each 1 or more. */
  public Verdict(Map<String, Integer> versions) {
    this.versions = Collections.unmodifiableMap(new TreeMap<>(versions));
  }

  /** The agreed version, or 0 if the capability is not to be used. */
  public int version(String capability) {
    return versions.getOrDefault(capability, 0);
  }

  /** All agreed versions, sorted by id. */
  public Map<String, Integer> versions() {
    return versions;
  }

  @Override
  public String toString() {
    return versions.toString();
  }
}
