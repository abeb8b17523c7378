package dev.shunt.runtime.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds secrets in texts, at a cost that their number has little part in. */
final class Blotter {
  /** Shorter ones are looked for at their own key only: they would blot out half of a text. */
  static final int LEAST = 4;

  private final Map<String, List<String>> byStart = new HashMap<>();

  Blotter(Collection<String> secrets) {
    for (var secret : secrets) {
      if (secret.length() >= LEAST) {
        byStart.computeIfAbsent(secret.substring(0, LEAST), k -> new ArrayList<>()).add(secret);
      }
    }
    byStart.values().forEach(l -> l.sort(Comparator.comparingInt(String::length).reversed()));
  }

  /** The text with a blot in the place of each secret, and of those that overlap. */
  String blot(String text, String blot) {
    var blotted = new StringBuilder();
    int end = 0;
    for (int i = 0; i < text.length(); i++) {
      int length = at(text, i);
      if (length > 0 && i >= end) {
        blotted.append(blot);
      }
      end = length > 0 ? Math.max(end, i + length) : end;
      if (i >= end) {
        blotted.append(text.charAt(i));
      }
    }
    return blotted.toString();
  }

  private int at(String text, int i) {
    if (i + LEAST > text.length()) {
      return 0;
    }
    for (var secret : byStart.getOrDefault(text.substring(i, i + LEAST), List.of())) {
      if (text.startsWith(secret, i)) {
        return secret.length();
      }
    }
    return 0;
  }
}
