package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Which values are nobody's business. A key is secret if one of its words is {@code password},
 * {@code passphrase}, {@code secret}, {@code token}, {@code credential} or the plural of one, or if
 * it ends in {@code private-key} or {@code api-key}; unless its last word says that it is something
 * about the secret: {@code file}, {@code path}, {@code ttl}, {@code timeout}. So is a key that has
 * a line {@code @secret} in its comment in {@code reference.conf}, and what stands below a secret
 * key. A password within a URL is secret wherever it stands.
 */
public final class Secrets {
  /** What is shown in the place of a secret. */
  public static final String BLOT = "******";

  private static final String MARK = "@secret";
  private static final Set<String> WORDS =
      Set.of("password", "passwd", "passphrase", "secret", "token", "credential");
  private static final Set<String> ABOUT = Set.of("file", "path", "dir", "ttl", "timeout");
  private static final Pattern IN_URL = Pattern.compile("(://[^/@:\\s]*:)[^/@\\s]+@");

  /** Of what is told of one value. */
  private static final int LONGEST = 1000;

  private final Set<String> marked = new TreeSet<>();
  private final Set<String> texts = new TreeSet<>(byLength());

  private Blotter blotter = new Blotter(List.of());

  private Secrets() {}

  /**
   * Those of a configuration.
   *
   * @param known the defaults, whose comments are read
   * @param values resolved; may be empty
   */
  static Secrets of(Config known, Config values) {
    var secrets = new Secrets();
    secrets.mark(known.root(), List.of());
    secrets.gather(values.root(), List.of());
    secrets.blotter = new Blotter(secrets.texts);
    return secrets;
  }

  private static Comparator<String> byLength() {
    return Comparator.comparingInt(String::length)
        .reversed()
        .thenComparing(Comparator.naturalOrder());
  }

  /** Whether what stands at a path is secret, by its name or by that of a section around it. */
  public boolean holds(String path) {
    return holds(ConfigUtil.splitPath(path));
  }

  boolean holds(List<String> path) {
    for (int i = 1; i <= path.size(); i++) {
      if (isSecret(path.get(i - 1)) || marked.contains(ConfigUtil.joinPath(path.subList(0, i)))) {
        return true;
      }
    }
    return false;
  }

  /** A key's name alone. */
  static boolean isSecret(String key) {
    var words =
        Arrays.asList(
            key.replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT).split("[-_.\\[]"));
    if (ABOUT.contains(words.getLast())) {
      return false;
    }
    return words.stream().anyMatch(w -> WORDS.contains(w) || WORDS.contains(w.replaceAll("s$", "")))
        || (words.size() > 1
            && words.getLast().equals("key")
            && List.of("private", "api").contains(words.get(words.size() - 2)));
  }

  /** A text without the secrets that are in it. */
  public String blot(String text) {
    return IN_URL.matcher(blotter.blot(text, BLOT)).replaceAll("$1" + BLOT + "@");
  }

  /** A problem that tells no secret. */
  Problem blot(Problem problem) {
    var text = blot(problem.text());
    if (isSecret(problem)) {
      for (var secret : texts) {
        text = text.replace("'" + secret + "'", "'" + BLOT + "'");
        text = text.startsWith(secret + " ") ? BLOT + text.substring(secret.length()) : text;
      }
    }
    return new Problem(
        problem.kind(), blot(problem.where()), shortened(problem.path()), shortened(text));
  }

  private static String shortened(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
  }

  private boolean isSecret(Problem problem) {
    try {
      return holds(problem.path().replaceAll("\\[\\d+]", ""));
    } catch (com.typesafe.config.ConfigException noPath) {
      return true;
    }
  }

  private void mark(ConfigObject object, List<String> path) {
    object.forEach(
        (key, value) -> {
          var at = with(path, key);
          if (value.origin().comments().stream().anyMatch(c -> c.strip().equals(MARK))) {
            marked.add(ConfigUtil.joinPath(at));
          }
          if (value instanceof ConfigObject inner) {
            mark(inner, at);
          }
        });
  }

  private void gather(ConfigObject object, List<String> path) {
    object.forEach((key, value) -> gather(value, with(path, key)));
  }

  private void gather(ConfigValue value, List<String> path) {
    switch (value) {
      case ConfigObject inner -> gather(inner, path);
      case ConfigList list -> list.forEach(element -> gather(element, path));
      default -> {
        if (holds(path) && value.unwrapped() != null) {
          texts.add(value.unwrapped().toString());
        }
      }
    }
  }

  static List<String> with(List<String> path, String key) {
    var longer = new ArrayList<>(path);
    longer.add(key);
    return longer;
  }
}
