import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Tells what the tests of all modules came to, and ends with 0 only if every one that is not listed
 * as a possible skip has run and passed.
 *
 * <p>Arguments: the project's folder, the file of allowed skips, and the exit code of Maven.
 */
final class TestSummary {
  private final Set<String> allowed;
  private final List<String> failures = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private int passed;
  private int skipped;

  private TestSummary(Set<String> allowed) {
    this.allowed = allowed;
  }

  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]);
    int maven = Integer.parseInt(args[2]);
    TestSummary summary = new TestSummary(readAllowed(Path.of(args[1])));
    System.out.println();
    System.out.printf(
        "%-22s %7s %7s %7s %9s%n", "module", "passed", "failed", "skipped", "seconds");
    for (Path reports : reportFolders(root)) {
      summary.readModule(reports);
    }
    summary.failures.forEach(f -> System.out.println("FAILED   " + f));
    summary.refused.forEach(s -> System.out.println("SKIPPED  " + s + " (not listed)"));
    if (maven != 0) {
      System.out.println("Maven ended with " + maven + "; its reasons stand above");
    }
    boolean ran = summary.passed > 0;
    if (!ran) {
      System.out.println("no test passed, so nothing is known");
    }
    // A skip that is not allowed counts as a failure: nobody reads the line above a green one.
    System.out.printf(
        "%d passed, %d failed, %d skipped%n",
        summary.passed, summary.failures.size() + summary.refused.size(), summary.skipped);
    boolean good = maven == 0 && ran && summary.failures.isEmpty() && summary.refused.isEmpty();
    System.exit(good ? 0 : 1);
  }

  private static Set<String> readAllowed(Path file) throws IOException {
    Set<String> allowed = new HashSet<>();
    for (String line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] parts = line.strip().split("\\s+", 2);
      if (parts.length < 2) {
        throw new IllegalArgumentException(file + ": no reason given for " + parts[0]);
      }
      allowed.add(parts[0]);
    }
    return allowed;
  }

  private static Set<Path> reportFolders(Path root) throws IOException {
    Set<Path> folders = new TreeSet<>();
    try (Stream<Path> modules = Files.list(root)) {
      modules
          .map(m -> m.resolve("target/surefire-reports"))
          .filter(Files::isDirectory)
          .forEach(folders::add);
    }
    return folders;
  }

  private void readModule(Path reports) throws Exception {
    int[] before = {passed, failures.size(), skipped + refused.size()};
    double seconds = 0;
    try (Stream<Path> files = Files.list(reports)) {
      for (Path file : files.sorted().toList()) {
        if (file.getFileName().toString().matches("TEST-.*\\.xml")) {
          seconds += readSuite(file);
        }
      }
    }
    System.out.printf(
        "%-22s %7d %7d %7d %9.1f%n",
        reports.getParent().getParent().getFileName(),
        passed - before[0],
        failures.size() - before[1],
        skipped + refused.size() - before[2],
        seconds);
  }

  private double readSuite(Path file) throws Exception {
    Element suite =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getDocumentElement();
    NodeList cases = suite.getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      readCase((Element) cases.item(i));
    }
    return Double.parseDouble(suite.getAttribute("time").replace(",", ""));
  }

  private void readCase(Element test) {
    String name = test.getAttribute("classname") + "#" + test.getAttribute("name");
    // A parameter's values are no part of a test's name.
    String plain = name.replaceFirst("[({\\[].*", "");
    if (has(test, "failure") || has(test, "error")) {
      failures.add(name);
    } else if (has(test, "skipped")) {
      if (allowed.contains(plain)) {
        skipped++;
      } else {
        refused.add(plain);
      }
    } else {
      passed++;
    }
  }

  private static boolean has(Element test, String tag) {
    return test.getElementsByTagName(tag).getLength() > 0;
  }
}
