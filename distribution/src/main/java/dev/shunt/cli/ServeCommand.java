package dev.shunt.cli;

import dev.shunt.api.Access;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ReceivedNotification;
import dev.shunt.api.ShuntException;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code shunt serve}. */
@Command(
    name = "serve",
    header = "Runs a node whose memory others may read and write.",
    description = {
      "Prints 'ready NAME' once it is reachable, with JSON an object that has 'name', and then a"
          + " line for each notification. 'shunt status' shows how it is.",
      "",
      "On SIGTERM, SIGINT and SIGHUP it is not ready any more, withdraws its descriptor, and drains"
          + " for shunt.close-timeout at most: until what it and its peers are at has ended. Then"
          + " it closes, and tells what was left, and whether peers were cut off, with JSON as an"
          + " object that has 'stopped'. Exit code 0: nothing of its own was cut off; 5: transfers"
          + " or memory were left. Another signal, a second later or more, ends it at once, with"
          + " 128 and its number."
    })
final class ServeCommand extends EngineCommand {
  /** Over these goes all that the user says. */
  private static final Map<String, Object> ON_BY_DEFAULT =
      Map.of("shunt.admin.enable", true, "shunt.recorder.enable", true);

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "64MiB",
      description = "Memory to register for others. Default: ${DEFAULT-VALUE}.")
  private ByteSize memory;

  @Option(
      names = "--access",
      paramLabel = "ACCESS",
      defaultValue = "read-write",
      converter = Accesses.class,
      description = "What others may do with it: read, write or read-write. Default: read-write.")
  private Access access;

  @Option(
      names = "--answer",
      description = "Answer the questions of demo and bench, about checksums among others.")
  private boolean answer;

  @Option(
      names = "--until-eof",
      description = "End also when standard input ends, as it does when the starting process dies.")
  private boolean untilEof;

  @Option(names = "--quiet", description = "Log warnings and errors only.")
  private boolean quiet;

  @Override
  Integer execute() throws InterruptedException {
    if (quiet) {
      quiet();
    }
    var settings = settings(List.of()).over(ON_BY_DEFAULT);
    var patience = settings.closeTimeout();
    stop().patience(patience.multipliedBy(2).plusSeconds(30));
    stop().onlyAwaited();
    if (untilEof) {
      stop().whenEnds(System.in);
    }
    Ending ending;
    try (var engine = settings.open();
        var _ = LogFile.watch()) {
      ending = new Ending(engine, patience);
      serve(engine, ending);
    }
    tell(ending);
    return ending.code().number();
  }

  private void serve(Engine engine, Ending ending) throws InterruptedException {
    var shared = Memory.allocate(engine.arena(), memory.bytes(), "--memory");
    engine.register(shared, access);
    try (var _ = new Listener(engine, taker(engine, shared), this::complain)) {
      ready(engine, shared);
      if (out().checkError()) {
        throw new ShuntException(
            FailureCode.RESOURCE,
            "standard output cannot be written, so nobody learns the name of this node");
      }
      stop().await();
      if (bySignal()) {
        complain(
            "SIG"
                + stop().signal().orElseThrow().name()
                + ": draining for "
                + Units.nanos(ending.timeout().toNanos())
                + " at most; another signal ends it at once");
      }
      ending.drain();
    }
  }

  /** Whoever holds the other end of the input has other ways to know. */
  private boolean bySignal() {
    return stop().signal().isPresent() && !untilEof;
  }

  private void tell(Ending ending) {
    if (json()) {
      print(Json.of(ending.toMap(stop().signal())));
    }
    if (bySignal() || ending.code() != ExitCode.OK) {
      complain(ending.describe());
    }
  }

  private Listener.Taker taker(Engine engine, MemorySegment shared) {
    var answers = new Answers(engine, shared, this::complain);
    return received -> {
      if (!answer || !answers.answer(received)) {
        show(received);
      }
    };
  }

  private void show(ReceivedNotification received) {
    var notification = received.notification();
    if (!json()) {
      print(
          "notification "
              + Printable.of(notification.name())
              + " "
              + Printable.of(notification.message()));
      return;
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("notification", notification.name());
    object.put("message", notification.message());
    object.put("transport", received.transport());
    print(Json.of(object));
  }

  private void complain(String text) {
    Errors.report(err(), "serve", Printable.of(text));
  }

  private void ready(Engine engine, MemorySegment shared) {
    if (!json()) {
      print("ready " + Printable.of(engine.name()));
      return;
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("ready", true);
    object.put("name", engine.name());
    object.put("generation", engine.generation());
    object.put("pid", ProcessHandle.current().pid());
    object.put("address", shared.address());
    object.put("bytes", shared.byteSize());
    print(Json.of(object));
  }

  private void print(String line) {
    out().println(line);
    out().flush();
  }
}
