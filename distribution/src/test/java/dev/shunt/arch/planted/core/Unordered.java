package dev.shunt.arch.planted.core;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

final class Unordered {
  Set<Integer> setOf() {
    return Set.of(1, 2);
  }

  Map<Integer, Integer> mapOf() {
    return Map.of(1, 2);
  }

  Set<Integer> copy(Collection<Integer> from) {
    return Set.copyOf(from);
  }

  Set<Integer> collected(Collection<Integer> from) {
    return from.stream().collect(Collectors.toUnmodifiableSet());
  }
}
