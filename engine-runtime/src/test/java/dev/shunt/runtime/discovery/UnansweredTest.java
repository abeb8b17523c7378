package dev.shunt.runtime.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.EngineFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Code of others that does not come back. */
class UnansweredTest {
  private static final Duration LIMIT = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String FOR_EVER =
      "try { Thread.sleep(Long.MAX_VALUE); } catch (InterruptedException e) { }";

  @TempDir Path directory;

  @Test
  void whatHangsIsNamedWithWhereItStandsAndTheOthersLoad() {
    var bodies = new LinkedHashMap<String, String>();
    bodies.put("constructor", "public P() { " + FOR_EVER + " }");
    bodies.put("initialiser", "static { " + FOR_EVER + " }");
    bodies.put("spi", "public int spiVersion() { " + FOR_EVER + " return 1; }");
    bodies.put("id", "public String id() { " + FOR_EVER + " return null; }");
    bodies.put("version", "public String version() { " + FOR_EVER + " return null; }");
    bodies.forEach(
        (name, body) ->
            new PluginJar("hangs." + name)
                .transport("P", "h-" + name, body)
                .jar(directory.resolve("a-" + name + ".jar")));
    Poisons.good("fine.one", "one").jar(directory.resolve("z-one.jar"));

    var found =
        assertTimeoutPreemptively(
            PATIENCE,
            () -> Discovery.find(Optional.of(directory), Set.of(), Given.NONE, LIMIT, Set.of()));

    for (var name : bodies.keySet()) {
      var plugin =
          found.failed().stream()
              .filter(p -> p.origin().toString().contains("a-" + name + ".jar"))
              .findFirst()
              .orElseThrow();
      var cause = plugin.cause();
      assertTrue(cause.startsWith("hangs." + name + ".P did not answer within 500 ms"), cause);
      assertTrue(cause.contains("it stands in java.base/java.lang.Thread.sleep"), cause);
      assertTrue(cause.matches(".*called from .*hangs\\." + name + "\\.P\\..*P\\.java.*"), cause);
      assertEquals(1, cause.lines().count(), cause);
    }
    assertEquals(bodies.size(), found.failed().size(), () -> "" + found.plugins());
    assertTrue(found.transport("one").isPresent());
  }

  /** Each of two waits for the other, in all that it is asked. */
  @Test
  void thoseThatHangAreWaitedForAtTheSameTime() {
    for (var name : List.of("one", "two")) {
      var other = name.equals("one") ? "two" : "one";
      new PluginJar("meets." + name)
          .transport("P", "m-" + name, meeting("meets." + name, "meets." + other))
          .jar(directory.resolve(name + ".jar"));
    }
    try (var engine =
        EngineFactory.installed()
            .builder()
            .set("plugins.dir", directory.toString())
            .set("plugins.load-timeout", Duration.ofSeconds(5))
            .open()) {
      var causes =
          engine.status().plugins().stream()
              .filter(p -> p.id().startsWith("m-"))
              .map(p -> p.cause());
      assertEquals(
          List.of("they met three times", "they met three times"),
          causes.map(c -> c.replaceFirst(".*Exception: ", "")).toList());
    }
  }

  private static String meeting(String own, String other) {
    return """
        public P() { meet("made"); }
        public void validate(com.typesafe.config.Config c) { meet("checked"); }
        public dev.shunt.api.spi.Transport create(dev.shunt.api.spi.TransportContext c) {
          meet("started");
          throw new IllegalStateException("they met three times");
        }
        static void meet(String what) {
          System.setProperty("OWN." + what, "");
          long until = System.nanoTime() + 20_000_000_000L;
          while (System.getProperty("OTHER." + what) == null && System.nanoTime() < until) {
            Thread.onSpinWait();
          }
        }
        """
        .replace("OWN", own)
        .replace("OTHER", other);
  }

  @Test
  void whatComesTooLateIsGivenBack() throws Exception {
    var gate = new CountDownLatch(1);
    var late = new CompletableFuture<String>();

    var result =
        Foreign.within(
            Duration.ofMillis(100),
            "somebody",
            () -> {
              gate.await();
              return "a device that was opened";
            },
            late::complete);

    assertTrue(result.thrown().getMessage().startsWith("somebody did not answer"));
    gate.countDown();
    assertEquals("a device that was opened", late.get(30, TimeUnit.SECONDS));
  }

  @Test
  void whatNobodyWaitsForAnyMoreIsGivenBackToo() throws Exception {
    var gate = new CountDownLatch(1);
    var late = new CompletableFuture<String>();
    var before = new CompletableFuture<String>();

    var asked = Asked.begin("somebody", () -> "a device", before::complete);
    assertEquals("a device", asked.within(PATIENCE).value());
    asked.giveUp();
    assertEquals("a device", before.getNow(""));

    Asked.begin(
            "somebody",
            () -> {
              gate.await();
              return "a device that was opened";
            },
            late::complete)
        .giveUp();
    gate.countDown();
    assertEquals("a device that was opened", late.get(30, TimeUnit.SECONDS));
  }

  @Test
  void aValueAndWhatIsThrownComeThroughAsTheyAre() {
    var error = new AssertionError("no");

    assertEquals(7, Foreign.within(PATIENCE, "x", () -> 7, _ -> {}).value());
    var thrown =
        Foreign.within(
            PATIENCE,
            "x",
            () -> {
              throw error;
            },
            _ -> {});
    assertSame(error, thrown.thrown());
  }
}
