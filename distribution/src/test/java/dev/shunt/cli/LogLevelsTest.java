package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.TypeConversionException;

class LogLevelsTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path folder;

  @Test
  void aLevelIsGivenInTheWordsOfSlf4jForAllOrForAName() {
    var levels = new LogLevels();
    assertEquals(new LogLevels.Setting("", Level.FINE), levels.convert("debug"));
    assertEquals(new LogLevels.Setting("a.b", Level.WARNING), levels.convert("a.b=WARN"));
    for (var wrong : List.of("loud", "a.b=", "=debug", "a.b=loud", "")) {
      assertThrows(TypeConversionException.class, () -> levels.convert(wrong), wrong);
    }
  }

  @Test
  void levelsFollowTheFileWhileTheProcessRuns() throws Exception {
    var file = folder.resolve("logging.properties");
    Files.writeString(file, "handlers = acme.Handler\nacme.Handler.level = ALL\n");
    try (var _ = LogFile.watch(file, 10)) {
      Files.writeString(
          file, "handlers = acme.Handler\nacme.Handler.level = OFF\nacme.watched.level = FINER\n");
      Image.await("the level", SOON, () -> level("acme.watched") == Level.FINER);
      assertNull(level("acme.Handler"));

      Files.writeString(file, "acme.watched.level = LOUD\nacme.other.level = SEVERE\n");
      Image.await("the other", SOON, () -> level("acme.other") == Level.SEVERE);
      Image.await("the end of the first", SOON, () -> level("acme.watched") == null);
    }
  }

  private static Level level(String name) {
    return LogLevels.logger(name).getLevel();
  }
}
