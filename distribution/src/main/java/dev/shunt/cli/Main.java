package dev.shunt.cli;

import dev.shunt.api.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Entry point of the command {@code shunt}. */
@Command(
    name = "shunt",
    description = "Moves registered memory between nodes, and keeps moving it.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    usageHelpWidth = 100,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:what was asked did not come about: a transfer failed, bytes differ",
      "2:the command line is wrong",
      "3:the configuration is wrong",
      "4:the peer was not reached, or is not what it was",
      "5:a node stopped, and transfers of its own or memory were left when its time was up",
      "70:a defect of shunt or of a plug-in",
      "128+n:ended by signal n; of serve: by a second signal"
    },
    subcommands = {
      DemoCommand.class,
      ServeCommand.class,
      BenchCommand.class,
      StatusCommand.class,
      RailCommand.class,
      NotifyCommand.class,
      PluginsCommand.class,
      DoctorCommand.class,
      ConfigCommand.class,
      RecordingCommand.class,
      CompletionCommand.class
    })
public final class Main implements Runnable {
  private static final String UNWRITTEN =
      "shunt: standard output cannot be written: is the device full, or nobody reading?";

  @Spec private CommandSpec spec;

  private Main() {}

  /**
   * Runs one command and ends the process with its exit code.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    if (args.length == 1 && List.of("--version", "-V").contains(args[0])) {
      // Asked often, by scripts: the commands are not looked at for it.
      System.exit(version());
    }
    var damage = Arguments.damage(args);
    if (damage.isPresent()) {
      System.exit(Errors.damaged(damage.get(), args));
    }
    // Standard output belongs to the command; what a plug-in or a library prints goes beside it.
    var own = System.out;
    System.setOut(System.err);
    // Over the stream itself, which knows whether something could not be written.
    System.exit(run(commandLine().setOut(new PrintWriter(own, true)), args));
  }

  private static int version() {
    for (var line : new Version().getVersion()) {
      System.out.println(line);
    }
    if (System.out.checkError()) {
      System.err.println(UNWRITTEN);
      return ExitCode.FAILED.number();
    }
    return ExitCode.OK.number();
  }

  /** Runs one command; what could not be written was not done. */
  static int run(CommandLine line, String... args) {
    int code = line.execute(args);
    if (code == ExitCode.OK.number() && line.getOut().checkError()) {
      line.getErr().println(UNWRITTEN);
      line.getErr().flush();
      return ExitCode.FAILED.number();
    }
    return code;
  }

  /** The commands, their types of values, and what they say when something is wrong. */
  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .registerConverter(ByteSize.class, ByteSize::parse)
        .registerConverter(Duration.class, Units::duration)
        .registerConverter(Operation.class, new Choices<>(Operation.class))
        .registerConverter(OutputFormat.class, new Choices<>(OutputFormat.class))
        .registerConverter(RailCommand.Action.class, new Choices<>(RailCommand.Action.class))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionStrategy(Main::execute)
        .setExecutionExceptionHandler(Errors::executing)
        .setParameterExceptionHandler(Errors::parsing);
  }

  /** An error of the JVM is told like everything else that goes wrong. */
  private static int execute(ParseResult parsed) {
    try {
      return new CommandLine.RunLast().execute(parsed);
    } catch (Error e) {
      var last = parsed;
      while (last.hasSubcommand()) {
        last = last.subcommand();
      }
      var failure = Defects.of(e);
      throw new ExecutionException(last.commandSpec().commandLine(), failure.getMessage(), failure);
    }
  }

  @Override
  public void run() {
    var line = spec.commandLine();
    line.usage(line.getOut());
  }

  /** Name, version and Java, each as the build and the running image know it. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {
        "shunt " + number(),
        "java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")"
      };
    }

    /** The version of the build. */
    static String number() {
      Properties build = new Properties();
      try (InputStream in = Main.class.getResourceAsStream("build.properties")) {
        build.load(in);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read build.properties of dev.shunt.cli", e);
      }
      return build.getProperty("version");
    }
  }
}
