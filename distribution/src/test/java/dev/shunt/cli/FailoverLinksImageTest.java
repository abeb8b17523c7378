package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links of two namespaces that break under a transfer, by {@code distribution/failover-links}. */
class FailoverLinksImageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path SCRIPT = ROOT.resolve("distribution/failover-links");

  @TempDir Path folder;

  private record Said(int code, String text) {}

  @BeforeEach
  void namespaces() throws Exception {
    var name = "shunt-links-" + ProcessHandle.current().pid() + "-t";
    var made =
        run(
            List.of(
                "sh",
                "-c",
                "ip netns add $0 && ip link add name one netns $0 type veth peer name two netns $0"
                    + " && tc -n $0 qdisc add dev one root tbf rate 1mbit burst 32kb latency 20ms"
                    + " && ip netns exec $0 iptables -w -L -n",
                name));
    run(List.of("sh", "-c", "ip netns del $0", name));
    assumeTrue(made.code() == 0, () -> "needs namespaces, shaping and iptables: " + made.text());
  }

  private static Said run(List<String> command) throws Exception {
    var out = Files.createTempFile("failover-links", ".out");
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().put("SHUNT", Image.SHUNT);
    var process = builder.start();
    try {
      if (!process.waitFor(4, TimeUnit.MINUTES)) {
        process.destroy();
        process.waitFor(30, TimeUnit.SECONDS);
        return new Said(-1, "not over after 4 minutes: " + Files.readString(out));
      }
      return new Said(process.exitValue(), Files.readString(out));
    } finally {
      process.destroyForcibly();
      Files.delete(out);
    }
  }

  private void passes(String... options) throws Exception {
    var command = new ArrayList<>(List.of(SCRIPT.toString(), "--keep", folder.toString()));
    command.addAll(List.of(options));
    var said = run(command);
    assertEquals(0, said.code(), said.text());
    assertTrue(said.text().contains("PASS  no integrity error"), said.text());
  }

  @Test
  void aLinkThatGoesDownCostsNothingButItsRailWhichComesBackAfterItsDelay() throws Exception {
    passes("--fault", "down", "--volume", "1024", "--figures", "told");
  }

  @Test
  void aLinkThatIsLostAtTheReceiverIsSeenByBoth() throws Exception {
    passes(
        "--fault",
        "down",
        "--side",
        "receiver",
        "--rail",
        "2",
        "--volume",
        "512",
        "--figures",
        "none");
  }

  @Test
  void aPeerWhoseRailAnswersWithResetsIsReachedByItsOther() throws Exception {
    passes("--fault", "rst", "--side", "receiver", "--volume", "512", "--figures", "none");
  }

  @Test
  void aBlackHoleIsLeftByTheSliceDeadline() throws Exception {
    passes("--fault", "drop", "--side", "receiver", "--volume", "512", "--figures", "none");
  }
}
