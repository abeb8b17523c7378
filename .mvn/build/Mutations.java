import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Takes protective lines away, one at a time, and sees to it that the test that is named for each
 * turns red: on copies of the tree. Mostly the one file alone is compiled again; only where its
 * test stays green by that everything is.
 *
 * <p>Arguments: the project's folder, the table of mutations (its head tells how an entry is
 * written), the folder of the copy, and optionally a part of the names of those to run. What came
 * of each is written as a report of tests into {@code distribution/target/surefire-reports}, so
 * that it counts like any other test.
 */
final class Mutations {
  private static final int MINUTES = 10;

  /** Tests that run beside many others fail for other reasons than their line. */
  private static final int MOST_WORKERS = 2;

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
    int failed = run(root, Path.of(args[2]).toAbsolutePath(), mutations);
    System.exit(failed == 0 ? 0 : 1);
  }

  /** Each worker has a copy of its own; what one breaks is seen by nobody else. */
  private static int run(Path root, Path folder, List<Mutation> mutations) throws Exception {
    long start = System.nanoTime();
    var waiting = new ConcurrentLinkedQueue<>(mutations);
    var wrong = Collections.synchronizedMap(new LinkedHashMap<Mutation, String>());
    var seconds = Collections.synchronizedMap(new LinkedHashMap<Mutation, Double>());
    int workers = Math.min(MOST_WORKERS, Runtime.getRuntime().availableProcessors());
    workers = Math.min(workers, mutations.size());
    try (var threads = Executors.newFixedThreadPool(workers)) {
      var work = new ArrayList<Callable<Void>>();
      for (int i = 0; i < workers; i++) {
        var own = new Mutations(root, folder.resolve("copy" + i));
        work.add(
            () -> {
              own.prepare();
              for (Mutation next; (next = waiting.poll()) != null; ) {
                long begin = System.nanoTime();
                wrong.put(next, own.play(next));
                seconds.put(next, (System.nanoTime() - begin) / 1e9);
                tell(next, seconds.get(next), wrong.get(next));
              }
              return null;
            });
      }
      for (var ended : threads.invokeAll(work)) {
        ended.get();
      }
    }
    report(root, mutations, wrong, seconds, (System.nanoTime() - start) / 1e9);
    return (int) wrong.values().stream().filter(text -> !text.isEmpty()).count();
  }

  private static synchronized void tell(Mutation mutation, double seconds, String wrong) {
    System.out.printf(
        "%-6s %5.1f s  %s%n", wrong.isEmpty() ? "red" : "FAILED", seconds, mutation.name());
    if (!wrong.isEmpty()) {
      System.out.println(wrong.indent(4).stripTrailing());
    }
  }

  private static void report(
      Path root,
      List<Mutation> mutations,
      Map<Mutation, String> wrong,
      Map<Mutation, Double> seconds,
      double all)
      throws IOException {
    var report = new StringBuilder();
    for (Mutation mutation : mutations) {
      var text = wrong.get(mutation);
      report.append(
          "<testcase classname=\"mutation\" name=\"%s\" time=\"%.1f\">%s</testcase>%n"
              .formatted(
                  escape(mutation.name()),
                  seconds.get(mutation),
                  text.isEmpty() ? "" : "<failure>" + escape(text) + "</failure>"));
    }
    Path reports = Files.createDirectories(root.resolve("distribution/target/surefire-reports"));
    Files.writeString(
        reports.resolve("TEST-mutations.xml"),
        "<testsuite name=\"mutations\" time=\"%.1f\">%n%s</testsuite>%n".formatted(all, report));
  }

  /** Everything is compiled once, and each module's class path written down. */
  private void prepare() throws Exception {
    Files.createDirectories(copy);
    copyTree();
    Path log = copy.resolve("mutation.log");
    if (!maven(
        log,
        List.of(
            "test-compile",
            "dependency:build-classpath",
            "-Dmdep.outputFile=target/classpath",
            "-Dmdep.includeScope=test"))) {
      throw new IllegalStateException("the copy does not compile: " + Files.readString(log));
    }
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
    if (swappable(mutation.file())) {
      String wrong = swapped(mutation, mutated);
      if (wrong.isEmpty()) {
        return "";
      }
      // It may be that others have a constant of it compiled in: everything is built again.
    }
    Files.write(file, mutated);
    try {
      return red(mutation);
    } finally {
      Files.write(file, lines);
    }
  }

  private static boolean swappable(Path file) {
    return file.toString().matches("[^/]+/src/(main|test)/java/.*[.]java")
        && !file.endsWith("module-info.java");
  }

  /**
   * Compiles this one file, and lets its classes stand in for the others while the test runs. They
   * get the others' times, so that Maven sees nothing to compile.
   */
  private String swapped(Mutation mutation, List<String> mutated) throws Exception {
    Path module = copy.resolve(mutation.file().getName(0));
    boolean main = mutation.file().getName(2).toString().equals("main");
    Path classes = module.resolve(main ? "target/classes" : "target/test-classes");
    Path work = copy.resolve("swap");
    Path source = work.resolve("source").resolve(mutation.file().getFileName());
    Path made = work.resolve("classes");
    remove(work);
    Files.createDirectories(source.getParent());
    Files.createDirectories(made);
    Files.write(source, mutated);
    String path =
        module.resolve("target/classes")
            + ":"
            + module.resolve("target/test-classes")
            + ":"
            + Files.readString(module.resolve("target/classpath")).strip();
    int ended =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                java.io.OutputStream.nullOutputStream(),
                java.io.OutputStream.nullOutputStream(),
                "-proc:none",
                "-implicit:none",
                "-parameters",
                "-g",
                "-cp",
                path,
                "-d",
                made.toString(),
                source.toString());
    if (ended != 0) {
      return "it does not compile";
    }
    var saved = new LinkedHashMap<Path, byte[]>();
    var times = new LinkedHashMap<Path, FileTime>();
    var added = new ArrayList<Path>();
    try (Stream<Path> files = Files.walk(made)) {
      for (Path from : files.filter(Files::isRegularFile).toList()) {
        Path to = classes.resolve(made.relativize(from).toString());
        if (Files.exists(to)) {
          saved.put(to, Files.readAllBytes(to));
          times.put(to, Files.getLastModifiedTime(to));
        } else {
          added.add(to);
        }
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        if (times.containsKey(to)) {
          Files.setLastModifiedTime(to, times.get(to));
        }
      }
    }
    try {
      return red(mutation);
    } finally {
      for (var entry : saved.entrySet()) {
        Files.write(entry.getKey(), entry.getValue());
        Files.setLastModifiedTime(entry.getKey(), times.get(entry.getKey()));
      }
      for (Path file : added) {
        Files.delete(file);
      }
    }
  }

  private static void remove(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Collections.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
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
    var builder =
        new ProcessBuilder(command)
            .directory(copy.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    // It lives for seconds: what it would compile well is never paid back.
    builder
        .environment()
        .merge("MAVEN_OPTS", " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC", String::concat);
    Process process = builder.start();
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
