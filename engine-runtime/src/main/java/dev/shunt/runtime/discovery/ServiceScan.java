package dev.shunt.runtime.discovery;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;

/**
 * Goes through a service loader and looks at each provider's type without initialising it. What
 * cannot be loaded is set against what was declared, so that the jar can be named.
 */
final class ServiceScan {
  private static final int MAX_ERRORS = 256;

  private final Kind kind;
  private final Map<String, Origin> declared;
  private final Predicate<Class<?>> belongs;
  private final boolean tellsStrangers;
  private final Map<String, Candidate> found = new LinkedHashMap<>();
  private final List<String> strangers = new ArrayList<>();

  /**
   * @param declared the classes that this place declares as providers, with their origins
   * @param belongs whether a provider's type is of this place
   * @param tellsStrangers whether an error about a class that is not declared here is told here
   */
  ServiceScan(
      Kind kind,
      Map<String, Origin> declared,
      Predicate<Class<?>> belongs,
      boolean tellsStrangers) {
    this.kind = kind;
    this.declared = declared;
    this.belongs = belongs;
    this.tellsStrangers = tellsStrangers;
  }

  List<Candidate> run(List<ServiceLoader<?>> loaders) {
    loaders.forEach(this::drain);
    boolean blamed = false;
    for (var entry : declared.entrySet()) {
      if (!found.containsKey(entry.getKey())) {
        blamed = true;
        found.put(
            entry.getKey(),
            new Candidate.Broken(kind, entry.getKey(), entry.getValue(), unreached()));
      }
    }
    if (!blamed && tellsStrangers) {
      for (var text : strangers) {
        found.put(
            text, new Candidate.Broken(kind, "unknown", new Origin("", "an unknown place"), text));
      }
    }
    return new ArrayList<>(found.values());
  }

  private String unreached() {
    return strangers.isEmpty()
        ? "the service loader did not reach it"
        : "it could not be loaded: " + String.join("; ", strangers);
  }

  private void drain(ServiceLoader<?> loader) {
    var providers = loader.stream().iterator();
    // After an error a service loader goes on with what comes next; one that makes no progress
    // would
    // give errors without end.
    for (int errors = 0; errors < MAX_ERRORS; ) {
      var step = Foreign.call(() -> next(providers));
      if (step.thrown() != null) {
        errors++;
        broken(step.thrown());
      } else if (step.value().isEmpty()) {
        return;
      } else {
        loaded(step.value().get());
      }
    }
  }

  private static Optional<ServiceLoader.Provider<?>> next(
      Iterator<? extends ServiceLoader.Provider<?>> providers) {
    return providers.hasNext() ? Optional.of(providers.next()) : Optional.empty();
  }

  private void loaded(ServiceLoader.Provider<?> provider) {
    var type = provider.type();
    if (belongs.test(type)) {
      found.putIfAbsent(
          type.getName(),
          new Candidate.Loaded(
              kind, type, () -> kind.service().cast(provider.get()), Origin.of(type), false));
    }
  }

  private void broken(Throwable thrown) {
    var text = Remedies.text(thrown);
    var whole = thrown.getMessage() == null ? text : thrown.getMessage() + " " + text;
    var name =
        declared.keySet().stream()
            .filter(n -> whole.contains(n) || whole.contains(n.replace('.', '/')))
            .max(java.util.Comparator.comparingInt(String::length));
    if (name.isPresent()) {
      found.putIfAbsent(
          name.get(), new Candidate.Broken(kind, name.get(), declared.get(name.get()), text));
    } else if (!strangers.contains(text)) {
      strangers.add(text);
    }
  }
}
