package dev.shunt.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others compile against has a comment on everything that they see. */
class DocumentationTest {
  private static final Path API =
      Path.of(System.getProperty("shunt.root"), "engine-api/src/main/java");

  @TempDir Path folder;

  @Test
  void nothingOfTheApiIsWithoutAComment() throws IOException {
    try (var files = Files.walk(API)) {
      assertEquals(List.of(), withoutComment(files));
    }
  }

  @Test
  void aMissingCommentIsSeen() throws IOException {
    var file =
        Files.writeString(
            folder.resolve("Planted.java"),
            "/** A type. */ public class Planted { Planted() {} public void mute() {} }");
    var found = withoutComment(Stream.of(file));
    assertEquals(1, found.size(), found::toString);
    assertTrue(found.getFirst().contains("Planted.java"), found::toString);
  }

  /** Where a comment is missing; a tag that would merely repeat a name is nobody's duty. */
  private List<String> withoutComment(Stream<Path> sources) {
    var config = Config.class.getProtectionDomain().getCodeSource().getLocation().toString();
    var arguments =
        new ArrayList<>(
            List.of(
                "-proc:none",
                "-Xdoclint:missing/protected",
                "-Xmaxwarns",
                "10000",
                "-p",
                Path.of(URI.create(config)).toString(),
                "-d",
                folder.toString()));
    sources.map(Path::toString).filter(f -> f.endsWith(".java")).forEach(arguments::add);
    var said = new StringWriter();
    var out = new PrintWriter(said);
    int code =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(out, out, arguments.toArray(String[]::new));
    assertEquals(0, code, said::toString);
    return said.toString().lines().filter(line -> line.contains("warning: no comment")).toList();
  }
}
