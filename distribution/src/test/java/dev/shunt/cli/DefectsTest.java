package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

/** An error of the JVM ends a command as every other failure does. */
class DefectsTest {
  @Command(name = "fails")
  static final class Fails implements Callable<Integer> {
    private final Error error;

    Fails(Error error) {
      this.error = error;
    }

    @Override
    public Integer call() {
      throw error;
    }
  }

  private static String run(Error error, ExitCode code) {
    var err = new StringWriter();
    var line =
        Main.commandLine().addSubcommand(new Fails(error)).setErr(new PrintWriter(err, true));
    assertEquals(code.number(), Main.run(line, "fails"));
    return err.toString();
  }

  @Test
  void anErrorOfTheJvmIsToldInTheDocumentedForm() {
    for (var error : new Error[] {new StackOverflowError(), new AssertionError("no")}) {
      var text = run(error, ExitCode.DEFECT);
      assertEquals(2, text.lines().count(), text);
      assertTrue(text.startsWith("shunt fails: "), text);
    }
    var full = run(new OutOfMemoryError("Java heap space"), ExitCode.FAILED);
    assertEquals(1, full.lines().count(), full);
  }

  @Test
  void aStackThatReadingAConfigurationFilledIsItsFault() {
    var error = new StackOverflowError();
    error.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("com.typesafe.config.impl.ConfigParser", "parse", "", 1)
        });
    assertEquals(FailureCode.CONFIGURATION, Defects.of(error).code());
    var text = run(error, ExitCode.CONFIGURATION);
    assertEquals(1, text.lines().count(), text);
  }
}
