import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Takes protective lines away, one at a time, and sees to it that the test that is named for each
 * turns red: on a copy of the tree.
 *
 * <p>Arguments: the project's folder, the table of mutations (its head tells how an entry is
 * written), the folder of the copy, and optionally a part of the names of those to run. What came
 * of each is written as a report of tests into {@code distribution/target/surefire-reports}, so
 * that it counts like any other test.
 */
final class Mutations {
  private static final int MINUTES = 10;

  private final Path root;
  private final Path copy;

  private Mutations(Path root, Path copy) {
    this.root = root;
    this.copy = copy;
  }

  /** An entry of the table. */
  private record Mutation(
      int line, String name, Path file, List<String> out, List<String> in, List<String> test) {}

  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]).toAbsolutePath();
    String part = args.length > 3 ? args[3] : "";
    List<Mutation> mutations =
        read(Path.of(args[1])).stream().filter(m -> m.name().contains(part)).toList();
    if (mutations.isEmpty()) {
      System.err.println("no mutation has '" + part + "' in its name");
      System.exit(1);
    }
    int failed = new Mutations(root, Path.of(args[2]).toAbsolutePath()).run(mutations);
    System.exit(failed == 0 ? 0 : 1);
  }

  private int run(List<Mutation> mutations) throws Exception {
    copyTree();
    StringBuilder report = new StringBuilder();
    int failed = 0;
    long start = System.nanoTime();
    for (Mutation mutation : mutations) {
      long begin = System.nanoTime();
      String wrong = play(mutation);
      double seconds = (System.nanoTime() - begin) / 1e9;
      System.out.printf(
          "%-6s %5.1f s  %s%n", wrong.isEmpty() ? "red" : "FAILED", seconds, mutation.name());
      if (!wrong.isEmpty()) {
        failed++;
        System.out.println(wrong.indent(4).stripTrailing());
      }
      report.append(
          "<testcase classname=\"mutation\" name=\"%s\" time=\"%.1f\">%s</testcase>%n"
              .formatted(
                  escape(mutation.name()),
                  seconds,
                  wrong.isEmpty() ? "" : "<failure>" + escape(wrong) + "</failure>"));
    }
    Path reports = Files.createDirectories(root.resolve("distribution/target/surefire-reports"));
    Files.writeString(
        reports.resolve("TEST-mutations.xml"),
        "<testsuite name=\"mutations\" time=\"%.1f\">%n%s</testsuite>%n"
            .formatted((System.nanoTime() - start) / 1e9, report));
    return failed;
  }

  /** Plays one; says what is wrong with it, or an empty text if its test turned red. */
  private String play(Mutation mutation) throws Exception {
    Path file = copy.resolve(mutation.file().toString());
    if (!Files.exists(file)) {
      return "line " + mutation.line() + " of the table: there is no file " + mutation.file();
    }
    List<String> lines = Files.readAllLines(file);
    List<Integer> places = places(lines, mutation.out());
    if (places.size() != 1) {
      return "line "
          + mutation.line()
          + " of the table: its lines stand "
          + places.size()
          + " times in "
          + mutation.file()
          + ", and have to stand there once";
    }
    List<String> mutated = new ArrayList<>(lines.subList(0, places.getFirst()));
    mutated.addAll(mutation.in());
    mutated.addAll(lines.subList(places.getFirst() + mutation.out().size(), lines.size()));
    Files.write(file, mutated);
    try {
      return red(mutation);
    } finally {
      Files.write(file, lines);
    }
  }

  private static List<Integer> places(List<String> lines, List<String> block) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i + block.size() <= lines.size(); i++) {
      boolean same = true;
      for (int j = 0; j < block.size() && same; j++) {
        same = lines.get(i + j).strip().equals(block.get(j));
      }
      if (same) {
        places.add(i);
      }
    }
    return places;
  }

  private String red(Mutation mutation) throws Exception {
    Path module = copy.resolve(mutation.test().get(0));
    String[] test = mutation.test().get(1).split("#", 2);
    Path reports = module.resolve("target/surefire-reports");
    removeReports(reports);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-pl",
                mutation.test().get(0),
                "-am",
                "test",
                "-Dtest=" + mutation.test().get(1),
                "-Dsurefire.failIfNoSpecifiedTests=false"));
    arguments.addAll(mutation.test().subList(2, mutation.test().size()));
    Path log = copy.resolve("mutation.log");
    boolean green = maven(log, arguments);
    if (failures(reports, test[0], test.length > 1 ? test[1] : "") > 0) {
      return "";
    }
    return green
        ? String.join(" ", mutation.test()) + " stays green without this line"
        : String.join(" ", mutation.test())
            + " did not run: "
            + Files.readAllLines(log).stream()
                .filter(line -> line.contains("ERROR"))
                .limit(8)
                .collect(Collectors.joining("\n"));
  }

  private boolean maven(Path log, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("mvn", "-o", "-q", "-B", "-Dstyle.color=never"));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .directory(copy.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    return ended && process.exitValue() == 0;
  }

  private static void removeReports(Path reports) throws IOException {
    if (Files.isDirectory(reports)) {
      try (Stream<Path> files = Files.list(reports)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static int failures(Path reports, String type, String method) throws Exception {
    if (!Files.isDirectory(reports)) {
      return 0;
    }
    int failures = 0;
    try (Stream<Path> files = Files.list(reports)) {
      for (Path file :
          files.filter(f -> f.toString().matches(".*[./]?" + type + "\\.xml")).toList()) {
        NodeList cases =
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
          Element test = (Element) cases.item(i);
          boolean bad =
              test.getElementsByTagName("failure").getLength() > 0
                  || test.getElementsByTagName("error").getLength() > 0;
          failures += bad && test.getAttribute("name").startsWith(method) ? 1 : 0;
        }
      }
    }
    return failures;
  }

  /** What git knows, and what is new and not ignored, as it stands in the folder. */
  private void copyTree() throws Exception {
    Process git =
        new ProcessBuilder("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String names = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (git.waitFor() != 0) {
      throw new IllegalStateException("git cannot list the files of " + root);
    }
    for (String name : names.split("\0")) {
      Path from = root.resolve(name);
      Path to = copy.resolve(name);
      if (Files.isRegularFile(from)) {
        Files.createDirectories(to.getParent());
        Files.copy(
            from, to, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static List<Mutation> read(Path table) throws IOException {
    List<Mutation> all = new ArrayList<>();
    List<String> lines = Files.readAllLines(table);
    int i = 0;
    while (i < lines.size()) {
      String line = lines.get(i).strip();
      if (!line.startsWith("== ")) {
        if (!line.isEmpty() && !line.startsWith("#")) {
          throw wrong(table, i, "an entry begins with ==");
        }
        i++;
        continue;
      }
      int head = i++;
      Path file = null;
      List<String> out = new ArrayList<>();
      List<String> in = new ArrayList<>();
      List<String> test = List.of();
      for (; i < lines.size() && !lines.get(i).startsWith("== "); i++) {
        String part = lines.get(i);
        if (part.startsWith("file ")) {
          file = Path.of(part.substring(5).strip());
        } else if (part.startsWith("- ")) {
          out.add(part.substring(2).strip());
        } else if (part.startsWith("+ ")) {
          in.add(part.substring(2).strip());
        } else if (part.startsWith("test ")) {
          test = List.of(part.substring(5).strip().split("\\s+"));
        } else if (!part.isBlank() && !part.startsWith("#")) {
          throw wrong(table, i, "a line begins with file, -, + or test");
        }
      }
      if (file == null || out.isEmpty() || test.size() < 2) {
        throw wrong(
            table, head, "an entry has a file, a line that goes, and a module with its test");
      }
      all.add(new Mutation(head + 1, line.substring(3).strip(), file, out, in, test));
    }
    return all;
  }

  private static IllegalArgumentException wrong(Path table, int line, String right) {
    return new IllegalArgumentException(table + ":" + (line + 1) + ": " + right);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
