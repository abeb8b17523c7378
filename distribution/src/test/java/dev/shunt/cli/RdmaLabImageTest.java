package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Real verbs between soft-RoCE devices of a virtual machine, by the scripts in {@code
 * distribution/lab}: the short part of what {@code distribution/verify --long} plays.
 */
class RdmaLabImageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path LAB = ROOT.resolve("distribution/lab");
  private static final Pattern LIBRARY =
      Pattern.compile(".*/(config|slf4j|jackson|junit|opentest4j|apiguardian)[^/]*\\.jar");

  private record Said(int code, String text) {}

  private static Said made;

  @BeforeEach
  void machine() throws Exception {
    if (made == null) {
      made = run(Map.of(), 15, LAB.resolve("image.sh").toString());
    }
    assumeTrue(made.code() == 0, () -> "no virtual machine can be had here: " + made.text());
  }

  private static Said run(Map<String, String> environment, int minutes, String... command)
      throws Exception {
    var out = Files.createTempFile("rdma-lab", ".out");
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().putAll(environment);
    var process = builder.start();
    try {
      if (!process.waitFor(minutes, TimeUnit.MINUTES)) {
        process.destroy();
        process.waitFor(30, TimeUnit.SECONDS);
        return new Said(-1, "not over after " + minutes + " minutes: " + Files.readString(out));
      }
      return new Said(process.exitValue(), Files.readString(out));
    } finally {
      process.destroyForcibly();
      Files.delete(out);
    }
  }

  /** Runs something in the machine, with the image there. */
  private static Said up(String... command) throws Exception {
    var whole = new ArrayList<>(List.of(LAB.resolve("up").toString()));
    whole.addAll(List.of(command));
    return run(Map.of("SHUNT", Image.SHUNT), 11, whole.toArray(String[]::new));
  }

  private static void linkFails(String side, String port) throws Exception {
    var said =
        up(
            "./rdma-link-failover",
            "--sender-primary",
            "rxe2",
            "--sender-fallback",
            "rxe1",
            "--receiver-primary",
            "rxe3",
            "--receiver-fallback",
            "rxe0",
            "--side",
            side,
            "--fault-interface",
            port,
            "--down-for",
            "5",
            "--recovery-delay",
            "3",
            "--volume",
            "8",
            "--every",
            "0.2",
            "--after",
            "30");
    assertEquals(0, said.code(), said.text());
    assertTrue(said.text().contains("PASS  no integrity error"), said.text());
  }

  @Test
  void theContractHoldsOverRealVerbs() throws Exception {
    var path = new ArrayList<String>();
    for (var module : List.of("transport-rdma", "engine-api")) {
      path.add(ROOT.resolve(module + "/target/test-classes").toString());
      path.add(ROOT.resolve(module + "/target/classes").toString());
    }
    for (var property : List.of("jdk.module.path", "java.class.path")) {
      for (var entry : System.getProperty(property, "").split(File.pathSeparator)) {
        if (LIBRARY.matcher(entry).matches()) {
          path.add(entry);
        }
      }
    }
    var said =
        run(
            Map.of("LAB_CLASSPATH", String.join(File.pathSeparator, path)),
            6,
            LAB.resolve("rdma-write").toString());
    assertEquals(0, said.code(), said.text());
    assertTrue(said.text().contains(" 0 failed, 0 skipped"), said.text());
  }

  @Test
  void theDemonstrationRunsOverRdmaAlone() throws Exception {
    var said = run(Map.of("SHUNT", Image.SHUNT), 11, LAB.resolve("rdma-demo").toString());
    assertEquals(0, said.code(), said.text());
    assertTrue(said.text().contains("verified    yes"), said.text());
  }

  /** J9, and a machine without any RDMA library. */
  @Test
  void whatAUserOrAMachineLacksIsToldWithItsRemedyAndTcpCarriesOn() throws Exception {
    var said = run(Map.of("SHUNT", Image.SHUNT), 11, LAB.resolve("lacking").toString());
    assertEquals(0, said.code(), said.text());
    assertTrue(said.text().contains("PASS  TCP with a limit: verified yes"), said.text());
    assertTrue(said.text().contains("PASS  TCP without the library: verified yes"), said.text());
  }

  @Test
  void aPortThatFailsAtTheSenderCostsNothingButItsRailWhichComesBack() throws Exception {
    linkFails("sender", "port2");
  }

  @Test
  void aPortThatFailsAtTheReceiverCostsNothingButItsRailWhichComesBack() throws Exception {
    linkFails("receiver", "port3");
  }
}
