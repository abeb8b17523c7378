package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class PrintableTest {
  @Test
  void nothingOfOthersBeginsALineOrMovesACursor() {
    assertEquals(
        "\\u001b[2J\\nready evil:1", Printable.of("\u001b[2J\nready evil:1"), "C0 and newline");
    assertEquals("a\\u0000b\\r\\t", Printable.of("a\0b\r\t"));
    for (int hidden : List.of(0x7f, 0x85, 0x9b, 0x202e, 0x2066, 0x200f, 0x61c, 0x2028, 0xfeff)) {
      var shown = Printable.of("a" + Character.toString(hidden) + "b");
      assertEquals("a\\u%04xb".formatted(hidden), shown);
    }
    assertEquals("\\ud800", Printable.of("\ud800"));
    assertEquals("\\udb40\\udc01", Printable.of(Character.toString(0xe0001)));
  }

  @Test
  void whatIsSeenStays() {
    for (var text :
        List.of("", "block 17", "\u00e9 \u00fc \u65e5\u672c", "C:\\n", "\ud83d\ude80")) {
      assertEquals(text, Printable.of(text));
    }
    assertEquals("a\n\tb\\u001b", Printable.lines("a\n\tb\u001b"));
  }

  @Test
  void errorsAndWrappedLinesAreMadeFit() {
    for (boolean watched : List.of(true, false)) {
      var lines = Errors.lines("shunt serve: ", "a\u001b[2J\nready evil:1\u202e", watched);
      assertEquals(List.of("shunt serve: a\\u001b[2J", "shunt serve: ready evil:1\\u202e"), lines);
    }
    assertEquals(List.of("from a\\nb\\u001b"), Lines.wrap("from ", 2, " a\nb\u001b"));
  }

  @Test
  void errorsAreWrappedForWhoeverWatchesAndForNobodyElse() {
    var message = "word ".repeat(60).strip();
    assertTrue(
        Errors.lines("shunt: ", message, true).stream().allMatch(l -> l.length() <= Lines.WIDTH));
    assertEquals(1, Errors.lines("shunt: ", message, false).size());
  }

  @Test
  void jsonHasNothingHiddenEither() {
    assertEquals("\"\\u009b\\u007f\\u202e\\n\"", Json.of("\u009b\u007f\u202e\n"));
  }

  @Test
  void whatIsLoggedOfOthersIsOneLine() {
    var logger = Logger.getAnonymousLogger();
    var handler = new ConsoleHandler();
    handler.setFormatter(
        new Formatter() {
          @Override
          public String format(LogRecord event) {
            return event.getMessage() + "\n" + event.getThrown() + "\n";
          }
        });
    logger.addHandler(handler);
    LogText.guard(logger);
    var event = new LogRecord(Level.INFO, "peer \u001b\nready evil:1");
    event.setThrown(new IllegalStateException("\u009b"));
    var text = handler.getFormatter().format(event);
    assertTrue(text.startsWith("peer \\u001b\\nready evil:1\n"), text);
    assertFalse(text.contains("\u009b"), text);
  }
}
