package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Engine;
import dev.shunt.api.EngineFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code shunt rail}, on an engine of this very process. */
class RailCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path folder;
  private Engine engine;

  private void open() {
    engine =
        EngineFactory.installed()
            .builder()
            .set("transports.tcp.rails", List.of("127.0.0.1", "127.0.0.2"))
            .set("transports.rdma.enable", false)
            .set("transports.nof.enable", false)
            .set("admin.enable", true)
            .set("admin.runtime-dir", folder.toString())
            .open();
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  private int run(String... args) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    var all = new java.util.ArrayList<>(List.of("rail"));
    all.addAll(List.of(args));
    all.addAll(List.of("--runtime-dir", folder.toString()));
    var line =
        Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return Main.run(line, all.toArray(String[]::new));
  }

  private Tree json() {
    return Tree.read("what it says", out.toString().getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void railsAreListedDrainedAndRestored() {
    open();
    assertEquals(0, run("list"), err.toString());
    assertTrue(out.toString().contains(engine.name() + " tcp/127.0.0.1 ACTIVE"), out.toString());
    assertTrue(out.toString().contains("tcp/127.0.0.2 ACTIVE"), out.toString());

    assertEquals(0, run("drain", "127.0.0.2"), err.toString());
    assertTrue(out.toString().contains("tcp/127.0.0.2 DRAINED"), out.toString());
    assertEquals(0, run("list", "tcp/127.0.0.2", "--output", "json"));
    assertEquals("DRAINED", json().text("state"));
    assertEquals(engine.name(), json().text("node"));
    assertEquals("tcp", json().text("transport"));

    assertEquals(0, run("restore", "tcp/127.0.0.2", "--output", "json"), err.toString());
    assertEquals("ACTIVE", json().text("state"));
  }

  @Test
  void whatIsMeantHasToBeClear() {
    open();
    assertEquals(1, run("drain", "10.9.9.9"));
    assertTrue(err.toString().contains("it has "), err.toString());
    assertTrue(err.toString().contains("tcp/127.0.0.1"), err.toString());
    assertEquals(2, run("drain"));
    assertEquals(2, run("empty", "127.0.0.1"));
    assertEquals(4, run("list", "--node", "nobody:1"));
    assertEquals(2, run());
  }
}
