package dev.shunt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** Entry point of the command {@code shunt}. */
@Command(
    name = "shunt",
    description = "Moves registered memory between nodes, and keeps moving it.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class)
public final class Main implements Runnable {
  private Main() {}

  /**
   * Runs one command and ends the process with its exit code.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }

  /** Name, version and Java, each as the build and the running image know it. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      Properties build = new Properties();
      try (InputStream in = Main.class.getResourceAsStream("build.properties")) {
        build.load(in);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read build.properties of dev.shunt.cli", e);
      }
      return new String[] {
        "shunt " + build.getProperty("version"),
        "java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")"
      };
    }
  }
}
