package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** How far something is. */
class ProgressTest {
  private static final long SECOND = 1_000_000_000L;

  private final StringWriter text = new StringWriter();

  @Test
  void drawsABarOnATerminalAgainAndAgain() {
    var progress = new Progress(new PrintWriter(text), true, "write", 100, 0);
    progress.show(0, "-", 0);
    progress.show(1, "1 B/s", SECOND / 100);
    progress.show(50, "50 B/s", SECOND);
    progress.end(100, "50 B/s", 2 * SECOND);

    var drawn = text.toString().split("\r");
    assertEquals(4, drawn.length, "nothing first, three drawings, and none too soon: " + text);
    assertTrue(drawn[2].contains("####-") && drawn[2].contains(" 50 %  50 B/s"), drawn[2]);
    assertTrue(drawn[3].endsWith(System.lineSeparator()), drawn[3]);
    assertTrue(drawn[3].length() < 100, drawn[3]);
  }

  @Test
  void printsALineNowAndThenElsewhereAndNoneForWhatIsShort() {
    var progress = new Progress(new PrintWriter(text), false, "write", 100, 0);
    progress.show(1, "1 B/s", SECOND);
    progress.end(2, "1 B/s", 2 * SECOND);
    assertEquals("", text.toString());

    progress.show(50, "9 B/s", 6 * SECOND);
    progress.show(51, "9 B/s", 7 * SECOND);
    assertEquals("write: 50 %, 9 B/s after 6 s" + System.lineSeparator(), text.toString());
  }
}
