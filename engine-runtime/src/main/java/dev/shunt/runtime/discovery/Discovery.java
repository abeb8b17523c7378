package dev.shunt.runtime.discovery;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds providers. Each is isolated from the others; what fails is listed, and logged once. */
public final class Discovery {
  private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);

  /** How long each provider may take where configuration does not say. */
  public static final Duration LOAD_TIMEOUT = Duration.ofSeconds(10);

  /** Why a provider is not used that configuration keeps out. */
  public static final String EXCLUDED = "shunt.plugins.exclude names it";

  private Discovery() {}

  /**
   * Looks in the image (or on the class path), then in a directory.
   *
   * @param directory of jars and folders, one for each plug-in
   * @param nativeAccess modules of that directory that may call native code
   * @param given what comes before all of them
   * @throws dev.shunt.api.ShuntException with CONFIGURATION if the directory cannot be read
   */
  public static Discovered find(Optional<Path> directory, Set<String> nativeAccess, Given given) {
    return find(directory, nativeAccess, given, LOAD_TIMEOUT, Set.of());
  }

  /**
   * The same, where configuration says how long a provider may take, and which are not wanted.
   *
   * @param limit for each provider, until it has said what it is; one that takes longer has failed
   * @param exclude ids of those that are listed, and not used; they take no other's place
   * @throws dev.shunt.api.ShuntException with CONFIGURATION if the directory cannot be read
   */
  public static Discovered find(
      Optional<Path> directory,
      Set<String> nativeAccess,
      Given given,
      Duration limit,
      Set<String> exclude) {
    var candidates = new ArrayList<>(given.candidates());
    candidates.addAll(ImageSource.candidates());
    directory.ifPresent(
        path -> candidates.addAll(new PluginDirectory(path, nativeAccess).candidates()));
    return vet(candidates, limit, exclude);
  }

  /** Takes what is given in code and looks nowhere else. */
  public static Discovered only(Given given) {
    return vet(given.candidates(), LOAD_TIMEOUT, Set.of());
  }

  private static Discovered vet(List<Candidate> candidates, Duration limit, Set<String> exclude) {
    var vetting = new Vetting(limit, exclude);
    vetting.vet(candidates);
    var discovered = vetting.discovered();
    for (var plugin : discovered.failed()) {
      LOG.warn("{}", plugin.describe());
    }
    return discovered;
  }
}
