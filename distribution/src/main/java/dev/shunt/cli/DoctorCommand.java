package dev.shunt.cli;

import dev.shunt.api.Engine;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Status;
import dev.shunt.cli.doctor.Doctor;
import dev.shunt.cli.doctor.Finding;
import dev.shunt.cli.doctor.Finding.Level;
import dev.shunt.runtime.config.EngineConfig;
import dev.shunt.runtime.config.Inspection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code shunt doctor}. */
@Command(
    name = "doctor",
    header = "Looks at this machine: will a node run here, and run well?",
    description = {
      "Reads the configuration and the kernel's settings, and starts each transport for a moment, on"
          + " free ports: a node that runs here already is not disturbed. Nothing is changed.",
      "",
      "The exit code is 1 where something fails, 3 where that is the configuration, and otherwise 0,"
          + " with --strict only if there is no warning either.",
      "",
      "JSON: an object with 'worst' (ok, warn or fail) and 'findings', each with 'check', 'level',"
          + " 'text' and 'remedy'."
    },
    footer = {
      "%nExamples:",
      "  shunt doctor --config cluster.conf --set name=node7",
      "  shunt doctor --config cluster.conf --peer 10.0.0.2 --peer 10.0.1.2"
    })
final class DoctorCommand extends EngineCommand {
  private static final int CHECK = 15;
  private static final Duration CHECK_LIMIT = Duration.ofSeconds(60);

  @Option(
      names = "--peer",
      paramLabel = "ADDRESS",
      description =
          "Another node's address: does each rail's traffic to it leave by that rail? May be repeated.")
  private List<String> peers = new ArrayList<>();

  @Option(names = "--strict", description = "Warnings fail too.")
  private boolean strict;

  @Override
  Integer execute() throws InterruptedException {
    quiet();
    LogLevels.logger("dev.shunt").setLevel(java.util.logging.Level.OFF);
    var doctor = new Doctor();
    var findings = new ArrayList<>(doctor.machine());
    var settings = settings(List.of());
    var inspection = settings.inspect();
    boolean valid = inspection.problems().isEmpty();
    findings.addAll(configuration(inspection));
    if (inspection.config().isPresent()) {
      var config = inspection.config().get();
      var started = valid ? started(doctor, settings, config) : List.<Finding>of();
      boolean locks = started.stream().anyMatch(f -> f.check().equals("rdma") && isGood(f));
      findings.addAll(
          doctor.wants(
              new Doctor.Wants(
                  Wanted.places(config),
                  Wanted.rails(config),
                  peers,
                  Wanted.connections(config),
                  locks)));
      findings.addAll(started);
      findings.add(doctor.signals());
    }
    tell(List.copyOf(new LinkedHashSet<>(findings)));
    return code(findings, valid).number();
  }

  private static boolean isGood(Finding finding) {
    return finding.level() == Level.OK;
  }

  private ExitCode code(List<Finding> findings, boolean valid) {
    var worst = worst(findings);
    if (!valid) {
      return ExitCode.CONFIGURATION;
    }
    return worst == Level.FAIL || (strict && worst == Level.WARN) ? ExitCode.FAILED : ExitCode.OK;
  }

  private static Level worst(List<Finding> findings) {
    return findings.stream().map(Finding::level).max(Level::compareTo).orElse(Level.OK);
  }

  private static List<Finding> configuration(Inspection inspection) {
    var findings = new ArrayList<Finding>();
    for (var problem : inspection.problems()) {
      findings.add(
          new Finding(
              "configuration", Level.FAIL, problem.describe(), "shunt config shows it all"));
    }
    if (findings.isEmpty()) {
      findings.add(new Finding("configuration", Level.OK, "valid", ""));
    }
    inspection.notes().forEach(n -> findings.add(new Finding("configuration", Level.OK, n, "")));
    return findings;
  }

  /** Starts the transports for a moment: they know best what they miss. */
  private static List<Finding> started(Doctor doctor, Settings settings, EngineConfig config)
      throws InterruptedException {
    try (var engine = settings.with(Wanted.anyPorts(config)).open()) {
      var findings = plugins(engine);
      if (engine.status().transports().stream().anyMatch(it -> it.id().equals("tcp"))) {
        var tcp = config.transports().get("tcp").section();
        findings.add(
            doctor.links(tcp.getString("link-events"), tcp.getDuration("link-poll-interval")));
      }
      return findings;
    } catch (ShuntException e) {
      return List.of(
          new Finding(
              "engine", Level.FAIL, "does not start: " + e.getMessage(), "see what fails above"));
    }
  }

  private static List<Finding> plugins(Engine engine) throws InterruptedException {
    var findings = new ArrayList<Finding>();
    var status = engine.status();
    for (var plugin : status.plugins()) {
      if (plugin.state().equals("FAILED")) {
        findings.add(
            new Finding(
                plugin.id(),
                Level.WARN,
                plugin.kind() + " does not work: " + plugin.cause(),
                plugin.kind().equals("transport")
                    ? "where it is not wanted: transports." + plugin.id() + ".enable = false"
                    : "remove it, or put it right"));
      }
    }
    for (var transport : status.transports()) {
      findings.addAll(rails(engine, transport));
      findings.addAll(details(transport));
    }
    if (status.transports().isEmpty()) {
      findings.add(
          new Finding(
              "transports", Level.FAIL, "none runs", "enable one; shunt plugins lists them"));
    }
    return findings;
  }

  /** What is not used is worth a look; the rest is said as it is. */
  private static List<Finding> details(Status.TransportStatus transport) {
    var findings = new ArrayList<Finding>();
    for (var it : transport.details()) {
      var facts =
          it.facts().entrySet().stream()
              .map(fact -> fact.getKey() + " " + fact.getValue())
              .collect(Collectors.joining(", "));
      if (it.kind().equals("left-out")) {
        findings.add(
            new Finding(
                transport.id(),
                Level.WARN,
                it.name() + " is not used: " + it.facts().getOrDefault("because", ""),
                "transports." + transport.id() + " says which devices are wanted"));
      } else if (!facts.isEmpty()) {
        findings.add(
            new Finding(transport.id(), Level.OK, it.kind() + " " + it.name() + ": " + facts, ""));
      }
    }
    return findings;
  }

  /** A rail that is active is tried: over RDMA it writes to itself. */
  private static Finding tried(Engine engine, String transport, String rail)
      throws InterruptedException {
    Status.RailCheck found;
    try {
      found = engine.checkRail(transport, rail).await(CHECK_LIMIT);
    } catch (ShuntException e) {
      found = new Status.RailCheck("it did not end: " + e.getMessage(), CHECK_LIMIT);
    }
    return found.problem().isEmpty()
        ? new Finding(
            transport,
            Level.OK,
            "rail "
                + rail
                + " active, and passed its check in "
                + Units.nanos(found.took().toNanos()),
            "")
        : new Finding(
            transport,
            Level.FAIL,
            "rail " + rail + " does not pass its check: " + found.problem(),
            "look at its link, its address and the system's log; transports."
                + transport
                + " says which rails are wanted");
  }

  private static List<Finding> rails(Engine engine, Status.TransportStatus transport)
      throws InterruptedException {
    var findings = new ArrayList<Finding>();
    for (var rail : transport.rails()) {
      boolean active = rail.state().equals("ACTIVE");
      if (active) {
        findings.add(tried(engine, transport.id(), rail.name()));
        continue;
      }
      findings.add(
          new Finding(
              transport.id(),
              active ? Level.OK : Level.WARN,
              "rail "
                  + rail.name()
                  + " "
                  + rail.state().toLowerCase(Locale.ROOT)
                  + (rail.cause().isEmpty() ? "" : ": " + rail.cause()),
              active ? "" : "transports." + transport.id() + " says which rails are wanted"));
    }
    if (findings.isEmpty()) {
      findings.add(new Finding(transport.id(), Level.OK, "runs, with no rail of its own", ""));
    }
    return findings;
  }

  private void tell(List<Finding> findings) {
    if (json()) {
      var map = new LinkedHashMap<String, Object>();
      map.put("worst", name(worst(findings)));
      map.put("findings", findings.stream().map(DoctorCommand::toMap).toList());
      out().println(Json.of(map));
    } else {
      findings.forEach(this::print);
    }
    out().flush();
  }

  private void print(Finding finding) {
    int indent = 6 + CHECK;
    var first =
        String.format(
            Locale.ROOT, "%-6s%-" + (CHECK - 1) + "s ", name(finding.level()), finding.check());
    Lines.wrap(first, indent, finding.text()).forEach(out()::println);
    if (!finding.remedy().isEmpty()) {
      Lines.wrap(" ".repeat(indent) + "> ", indent + 2, finding.remedy()).forEach(out()::println);
    }
  }

  private static String name(Level level) {
    return level.name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, Object> toMap(Finding finding) {
    var map = new LinkedHashMap<String, Object>();
    map.put("check", finding.check());
    map.put("level", name(finding.level()));
    map.put("text", finding.text());
    map.put("remedy", finding.remedy());
    return map;
  }
}
