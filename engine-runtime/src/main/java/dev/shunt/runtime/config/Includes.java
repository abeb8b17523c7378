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

  /** Of a name that is repeated. */
  private static final int LONGEST_NAME = 200;

  private static final int MOST_OF_CHAIN = 4;
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
      return refuse(written, "includes itself, by way of " + few(chain));
    }
    if (chain.size() >= DEEPEST) {
      return refuse(
          written,
          "is included by way of "
              + chain.size()
              + " files; right are at most "
              + DEEPEST
              + " within one another");
    }
    var why = Intake.why(target);
    if (why.isPresent()) {
      boolean missing = !target.toFile().exists();
      return optional && missing
          ? ConfigFactory.empty().root()
          : refuse(
              written,
              (isLong(name) ? "" : target + ": ")
                  + why.get()
                  + (missing ? "; " + mayBeMissing(name) : ""));
    }
    var longer = new java.util.ArrayList<>(chain);
    longer.add(target);
    return ConfigFile.parse(target, longer, intake, problems).root();
  }

  /** The first of them, and how many more there are. */
  private static String few(List<Path> chain) {
    int left = chain.size() - MOST_OF_CHAIN;
    return left <= 0
        ? chain.toString()
        : chain.subList(0, MOST_OF_CHAIN) + " and " + left + " more";
  }

  private static boolean isLong(String name) {
    return name.length() > LONGEST_NAME;
  }

  private static String mayBeMissing(String name) {
    return isLong(name)
        ? "one with a ? before its name may be missing"
        : "\"" + OPTIONAL + name + "\" may be missing";
  }

  private ConfigObject refuse(String written, String why) {
    int line = Lines.including(text, written);
    var shown = isLong(written) ? written.substring(0, LONGEST_NAME) + "..." : written;
    problems.add(
        ConfigFile.unreadable(
            line > 0 ? file + ":" + line : file.toString(), "include \"" + shown + "\": " + why));
    return ConfigFactory.empty().root();
  }
}
