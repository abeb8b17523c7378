package dev.shunt.cli;

import dev.shunt.api.ShuntException;
import dev.shunt.runtime.config.InvalidConfigurationException;
import dev.shunt.runtime.config.Problem;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells what is wrong on one line, and leaves traces to those who ask for them. */
final class Errors {
  private Errors() {}

  /** A command ended with an exception. */
  static int executing(Exception thrown, CommandLine command, ParseResult parsed) {
    var verbose =
        switch (command.getCommand()) {
          case EngineCommand c -> c.verbose();
          case NodeCommand c -> c.verbose();
          default -> false;
        };
    var json =
        switch (command.getCommand()) {
          case EngineCommand c -> c.json();
          case NodeCommand c -> c.json();
          default -> false;
        };
    var code = thrown instanceof ShuntException shunt ? shunt.code().name() : kind(thrown);
    var exit =
        thrown instanceof ShuntException shunt
            ? ExitCode.of(shunt.code())
            : thrown instanceof InterruptedException ? ExitCode.FAILED : ExitCode.DEFECT;
    var message = message(thrown);
    report(command.getErr(), command.getCommandName(), message);
    if (json) {
      var error = error(code, message);
      if (thrown instanceof InvalidConfigurationException invalid) {
        error.put("problems", invalid.problems().stream().map(Errors::problem).toList());
      }
      command.getOut().println(Json.of(Map.of("error", error)));
      command.getOut().flush();
    }
    if (verbose) {
      var trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace, true));
      command.getErr().print(Printable.lines(trace.toString()));
      command.getErr().flush();
    } else if (exit == ExitCode.DEFECT) {
      command.getErr().println("shunt: --verbose shows where it happened");
    }
    return exit.number();
  }

  /** A command line that cannot be understood. */
  static int parsing(ParameterException thrown, String[] args) {
    var command = thrown.getCommandLine();
    report(command.getErr(), command.getCommandName(), thrown.getMessage());
    if (!UnmatchedArgumentException.printSuggestions(thrown, command.getErr())) {
      command.getErr().println(command.getCommandSpec().qualifiedName() + " --help tells more");
    }
    if (wantsJson(args)) {
      command.getOut().println(Json.of(Map.of("error", error("USAGE", thrown.getMessage()))));
      command.getOut().flush();
    }
    return ExitCode.USAGE.number();
  }

  /** Arguments that are not those which were given. */
  static int damaged(String message, String[] args) {
    report(new PrintWriter(System.err, true), "shunt", message);
    if (wantsJson(args)) {
      System.out.println(Json.of(Map.of("error", error("USAGE", message))));
    }
    return ExitCode.USAGE.number();
  }

  /** The line was not understood, so this looks by itself. */
  private static boolean wantsJson(String[] args) {
    var given = String.join(" ", args).toLowerCase(Locale.ROOT);
    return given.matches("(.* )?--output[ =]json( .*)?");
  }

  /** Says it on standard error, on lines that begin with the command. */
  static void report(PrintWriter err, String command, String message) {
    var prefix = command.equals("shunt") ? "shunt: " : "shunt " + command + ": ";
    lines(prefix, message, Terminal.watchesErrors()).forEach(err::println);
    err.flush();
  }

  /** Who watches gets them at the width of a screen; who reads them in has each as one. */
  static List<String> lines(String prefix, String message, boolean watched) {
    return message
        .lines()
        .flatMap(
            line ->
                watched
                    ? Lines.wrap(prefix, 4, line).stream()
                    : Stream.of(prefix + Printable.of(line)))
        .toList();
  }

  /** What failed, for programs. */
  static Map<String, Object> error(String code, String message) {
    var error = new LinkedHashMap<String, Object>();
    error.put("code", code);
    error.put("message", message);
    return error;
  }

  /** What is wrong with a value, for programs. */
  static Map<String, Object> problem(Problem problem) {
    var map = new LinkedHashMap<String, Object>();
    map.put("kind", problem.kind().name());
    map.put("where", problem.where());
    map.put("key", problem.path());
    map.put("text", problem.text());
    return map;
  }

  private static String message(Exception thrown) {
    return switch (thrown) {
      case ShuntException shunt -> shunt.getMessage();
      case InterruptedException _ -> "interrupted";
      default -> thrown.toString();
    };
  }

  private static String kind(Exception thrown) {
    return thrown instanceof InterruptedException ? "CANCELLED" : "INTERNAL";
  }
}
