package dev.shunt.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of protective lines fits the code, long before somebody plays it. */
class MutationsTest {
  private static final Path ROOT = Path.of("..");

  @Test
  void eachLineThatCouldBeTakenAwayStandsInItsFileOnce() throws IOException {
    var misfits = new ArrayList<String>();
    int entries = 0;
    for (var entry : Files.readString(Path.of("mutations")).split("(?m)^== ")) {
      var lines = entry.lines().toList();
      var file = lines.stream().filter(line -> line.startsWith("file ")).findFirst();
      if (entry.startsWith("#")) {
        continue;
      }
      entries++;
      var gone = lines.stream().filter(line -> line.startsWith("- ")).map(MutationsTest::text);
      int found = count(ROOT.resolve(file.orElseThrow().substring(5).strip()), gone.toList());
      if (found != 1) {
        misfits.add(lines.getFirst() + ": " + found + " times in its file");
      }
    }
    assertEquals(List.of(), misfits);
    assertTrue(entries > 50, entries + " entries");
  }

  private static String text(String line) {
    return line.substring(2).strip();
  }

  private static int count(Path file, List<String> gone) throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    var lines = Files.readString(file).lines().map(String::strip).toList();
    int found = 0;
    for (int i = 0; i + gone.size() <= lines.size(); i++) {
      if (lines.subList(i, i + gone.size()).equals(gone)) {
        found++;
      }
    }
    return found;
  }
}
