package dev.shunt.cli;

import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Segment;
import dev.shunt.api.ShuntException;
import dev.shunt.runtime.config.Environment;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What commands share that open an engine, or read what one would open with. */
abstract class EngineCommand implements Callable<Integer> {
  // Loggers are found by name for as long as somebody holds them.
  private static final Logger ROOT = Logger.getLogger("");

  private static final Logger PEERS = Logger.getLogger("dev.shunt.runtime.control.PeerWatch");
  private static final List<Logger> EXPECTED =
      Stream.of("transport.PathTales", "transfer.LaneFlow")
          .map(name -> Logger.getLogger("dev.shunt.runtime." + name))
          .toList();

  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[^\\]\\s]+]|[^:\\s]+):[1-9][0-9]{0,4}");

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      order = 101,
      paramLabel = "FILE",
      description =
          "HOCON file with a section 'shunt'; what it leaves out has its default. Environment"
              + " variables go over it: SHUNT__CONTROL__PORT is control.port.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--set",
      order = 102,
      paramLabel = "KEY=VALUE",
      description = "A value over all others, such as control.port=15000. May be repeated.")
  private List<String> values = new ArrayList<>();

  @Option(
      names = "--output",
      order = 103,
      defaultValue = "text",
      paramLabel = "FORMAT",
      description = "What standard output is: ${COMPLETION-CANDIDATES}. Default: text.")
  private OutputFormat format;

  @Option(
      names = "--verbose",
      order = 105,
      description = "Log more, and show the stack trace of what went wrong.")
  private boolean verbose;

  @Option(
      names = "--log-level",
      order = 104,
      paramLabel = "[NAME=]LEVEL",
      converter = LogLevels.class,
      description =
          "What is logged: trace, debug, info, warn, error or off, for all or for the loggers below"
              + " a name, such as dev.shunt.runtime=debug. May be repeated.")
  private List<LogLevels.Setting> logLevels = new ArrayList<>();

  private Stop stop;

  /** Does it; gives the exit code. */
  abstract Integer execute() throws InterruptedException;

  @Override
  public final Integer call() throws InterruptedException {
    LogText.guard(ROOT);
    LogLevels.apply(logLevels);
    try (var signals = new Stop(spec.name(), err(), Thread.currentThread()::interrupt)) {
      stop = signals;
      return execute();
    } catch (Error e) {
      throw Defects.of(e);
    } catch (InterruptedException | RuntimeException e) {
      // Whatever it ended with, it was cut short, and has cleaned up by now.
      var signal = stop.signal();
      if (signal.isEmpty()) {
        throw e;
      }
      Errors.report(err(), spec.name(), "ended by SIG" + signal.get().name());
      return signal.get().exitCode();
    }
  }

  /** What ends it before its time. */
  final Stop stop() {
    return stop;
  }

  /** Whether standard output is for programs. */
  final boolean json() {
    return format == OutputFormat.JSON;
  }

  /** Whether more is to be shown of what happens. */
  final boolean verbose() {
    return verbose;
  }

  /** Standard output. */
  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Standard error. */
  final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** The configuration: this command's own values lie between the file's and the given ones. */
  final Settings settings(List<String> own) {
    return Settings.of(file, own, System.getenv(), values);
  }

  /** Arguments that give a process of the same program the same configuration. */
  final List<String> configArguments(List<String> own) {
    var arguments = new ArrayList<String>();
    file.ifPresent(f -> arguments.addAll(List.of("--config", f.toString())));
    // The environment is inherited, and wins over a command's own values there too.
    var inherited = Environment.values(System.getenv()).keySet();
    for (var value : own) {
      if (Settings.key(value).filter(inherited::contains).isEmpty()) {
        arguments.addAll(List.of("--set", value));
      }
    }
    for (var value : values) {
      arguments.addAll(List.of("--set", value));
    }
    return arguments;
  }

  /**
   * Opens a node's memory by the name that somebody wrote.
   *
   * @throws ParameterException if no node can have that name
   */
  final Segment open(Engine engine, Settings settings, String name, Duration timeout)
      throws InterruptedException {
    try {
      return engine.openSegment(name, timeout);
    } catch (ShuntException e) {
      // Names that are addresses are told by their look; elsewhere a node of that name may come
      // yet.
      if (e.code() == FailureCode.UNKNOWN_SEGMENT
          && settings.namesAreAddresses()
          && !ADDRESS.matcher(name).matches()) {
        throw usage(e.getMessage());
      }
      throw e;
    }
  }

  /** What to throw when options do not fit together. */
  final ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Says nothing of peers that do not answer: this command's own failure tells it. */
  final void tellsOfSilentPeers() {
    if (!verbose && logLevels.isEmpty()) {
      PEERS.setLevel(Level.SEVERE);
    }
  }

  /** Says nothing of paths and peers that are lost: this command breaks them itself. */
  final void expectFaults() {
    tellsOfSilentPeers();
    if (!verbose && logLevels.isEmpty()) {
      EXPECTED.forEach(logger -> logger.setLevel(Level.SEVERE));
    }
  }

  /** Keeps standard error for what this command has to say; warnings still come through. */
  final void quiet() {
    if (!verbose && logLevels.isEmpty()) {
      ROOT.setLevel(Level.WARNING);
    }
  }
}
