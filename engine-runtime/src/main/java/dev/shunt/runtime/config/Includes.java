package dev.shunt.runtime.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import java.io.File;
import java.net.URL;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** What stands behind {@code include} in one file. */
final class Includes
    implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
  private static final int DEEPEST = 32;
  private static final String OPTIONAL = "?";

  private final Path file;
  private final String text;
  private final List<Path> chain;
  private final Intake intake;
  private final List<Problem> problems;

  Includes(Path file, String text, List<Path> chain, Intake intake, List<Problem> problems) {
    this.file = file;
    this.text = text;
    this.chain = chain;
    this.intake = intake;
    this.problems = problems;
  }

  List<Problem> problems() {
    return problems;
  }

  @Override
  public ConfigIncluder withFallback(ConfigIncluder fallback) {
    // The library's own one passes over what is missing, and looks in more places.
    return this;
  }

  @Override
  public ConfigObject include(ConfigIncludeContext context, String what) {
    boolean optional = what.startsWith(OPTIONAL);
    return read(optional ? what.substring(1) : what, what, optional);
  }

  @Override
  public ConfigObject includeFile(ConfigIncludeContext context, File what) {
    return include(context, what.getPath());
  }

  @Override
  public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
    return refuse(what.toString(), "is a URL; right is a file");
  }

  @Override
  public ConfigObject includeResources(ConfigIncludeContext context, String what) {
    return refuse(what, "stands on a class path; right is a file");
  }

  private ConfigObject read(String name, String written, boolean optional) {
    if (!intake.mayInclude()) {
      return intake.isFirstTooMany()
          ? refuse(written, "is one too many; right are at most " + Intake.MOST_INCLUDES)
          : ConfigFactory.empty().root();
    }
    Path target;
    try {
      target = file.toAbsolutePath().resolveSibling(name).normalize();
    } catch (InvalidPathException e) {
      return refuse(written, "is no path: " + e.getReason());
    }
    if (chain.contains(target)) {
      return refuse(written, "includes itself, by way of " + chain);
    }
    if (chain.size() >= DEEPEST) {
      return refuse(written, "is included by way of " + chain.size() + " files; that is too deep");
    }
    var why = Intake.why(target);
    if (why.isPresent()) {
      return optional && !target.toFile().exists()
          ? ConfigFactory.empty().root()
          : refuse(written, target + ": " + why.get() + "; \"?" + name + "\" may be missing");
    }
    var longer = new java.util.ArrayList<>(chain);
    longer.add(target);
    return ConfigFile.parse(target, longer, intake, problems).root();
  }

  private ConfigObject refuse(String written, String why) {
    int line = Lines.including(text, written);
    problems.add(
        ConfigFile.unreadable(
            line > 0 ? file + ":" + line : file.toString(), "include \"" + written + "\": " + why));
    return ConfigFactory.empty().root();
  }
}
