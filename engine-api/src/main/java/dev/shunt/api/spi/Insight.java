package dev.shunt.api.spi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One thing within a transport, as operators look at it. All of it is for people and their tools;
 * the runtime makes nothing of it.
 *
 * @param kind what it is, in lower case: {@code device}, {@code port}
 * @param name which one, unique among those of its kind
 * @param facts what is known of it in words, in the order in which it is shown
 * @param counts what is known of it in numbers, such as how many it has of what; they are metrics
 *     too
 */
public record Insight(
    String kind, String name, Map<String, String> facts, Map<String, Long> counts) {
  /** Copies, and keeps the order. */
  public Insight {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
  }
}
