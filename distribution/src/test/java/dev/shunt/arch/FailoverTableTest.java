package dev.shunt.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the table of the failover of NICs names is there. */
class FailoverTableTest {
  private static final Path ROOT = Path.of(System.getProperty("shunt.root"));
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:#(\\w+))?`");
  private static final Pattern SCRIPT = Pattern.compile("`(distribution/[\\w/-]+)");

  private final List<String> missing = new ArrayList<>();

  @Test
  void eachTestAndScriptThatItNamesExists() throws IOException {
    var table = Files.readString(ROOT.resolve("transport-rdma/FAILOVER.md"));
    var sources = new HashMap<String, String>();
    try (var modules = Files.newDirectoryStream(ROOT, Files::isDirectory)) {
      for (var module : modules) {
        read(module.resolve("src/test/java"), sources);
      }
    }
    int named = 0;
    for (var found : TEST.matcher(table).results().toList()) {
      named++;
      var source = sources.get(found.group(1));
      var method = found.group(2);
      if (source == null || method != null && !source.contains("void " + method + "(")) {
        missing.add(found.group());
      }
    }
    for (var found : SCRIPT.matcher(table).results().toList()) {
      if (!Files.exists(ROOT.resolve(found.group(1)))) {
        missing.add(found.group(1));
      }
    }
    assertEquals(List.of(), missing);
    assertTrue(named > 40, named + " tests are named");
  }

  private static void read(Path folder, HashMap<String, String> sources) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(f -> f.toString().endsWith("Test.java")).toList()) {
        var name = file.getFileName().toString();
        var type = name.substring(0, name.length() - ".java".length());
        // Two modules may have tests of one name.
        sources.merge(type, Files.readString(file), String::concat);
      }
    }
  }
}
