package dev.shunt.runtime.control.golden;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.spi.Fault;
import dev.shunt.runtime.agent.Platform.Running;
import dev.shunt.runtime.agent.ThreadPlatform;
import dev.shunt.runtime.control.CallHandler;
import dev.shunt.runtime.control.ControlOptions;
import dev.shunt.runtime.control.ControlService;
import dev.shunt.runtime.control.golden.GoldenServer.Turn;
import dev.shunt.runtime.control.golden.Recording.Section;
import dev.shunt.runtime.control.golden.TentFrame.Form;
import dev.shunt.runtime.descriptor.Descriptor;
import dev.shunt.runtime.descriptor.DescriptorLimits;
import dev.shunt.runtime.descriptor.DescriptorReader;
import dev.shunt.runtime.json.MalformedException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls as TENT's clients made them, of a server that answers what TENT's servers answered. */
class GoldenCallingTest {
  private static final long SECOND = 1_000_000_000L;

  /** These have a key of our name that is not ours. */
  private static final Set<String> OTHERS = Set.of("desc1", "desc2");

  private final ThreadPlatform platform = new ThreadPlatform("golden-");
  private final ControlService service =
      new ControlService("control", ControlOptions.defaults(), platform);
  private Running running;

  private record Outcome(byte[] reply, Fault fault) {}

  @BeforeEach
  void start() {
    running = platform.start(service);
  }

  @AfterEach
  void stop() throws InterruptedException {
    running.stop(agent -> {});
    assertTrue(running.join(10 * SECOND));
    assertEquals(0, service.outstanding());
  }

  private Outcome call(GoldenServer server, Turn turn) throws Exception {
    var outcome = new CompletableFuture<Outcome>();
    service.call(
        server.address(),
        turn.function(),
        turn.attachment(),
        System.nanoTime() + 10 * SECOND,
        new CallHandler() {
          @Override
          public void reply(byte[] attachment) {
            assertTrue(outcome.complete(new Outcome(attachment, null)));
          }

          @Override
          public void failed(Fault fault) {
            assertTrue(outcome.complete(new Outcome(new byte[0], fault)));
          }
        });
    return outcome.get(20, TimeUnit.SECONDS);
  }

  private void play(String name, Section section, Form form) throws Exception {
    try (var server = new GoldenServer(section, form)) {
      for (var turn : server.turns()) {
        var where = name + ":" + turn.line() + " " + form;
        if (!turn.request().canonical()) {
          continue;
        }
        var outcome = call(server, turn);
        if (outcome.fault() != null && server.left().contains(turn)) {
          // The server closed the connection before it came there: nothing was asked of it.
          outcome = call(server, turn);
        }
        var answers = TentFrame.split(turn.answer(), TentFrame.REPLY);
        assertEquals(List.of(), server.complaints(), where);
        if (answers.isEmpty()) {
          assertNotNull(outcome.fault(), where + ": half an answer is none");
          continue;
        }
        var answer = answers.getFirst();
        boolean good = answer.sequence() == turn.request().sequence() && good(answer);
        if (answer.error() != 0) {
          assertEquals(answer.error(), outcome.fault().vendorCode(), where);
          assertTrue(outcome.fault().text().endsWith(answer.problem()), outcome.fault().text());
        } else if (good) {
          assertEquals(null, outcome.fault(), where);
          assertArrayEquals(answer.attachment(), outcome.reply(), where);
        } else {
          assertNotNull(outcome.fault(), where);
        }
      }
    }
  }

  /** TENT's client looks neither at the magic nor at the version; ours does. */
  private static boolean good(TentFrame answer) {
    return answer.head()[0] == 0x15
        && answer.head()[1] == 0
        && answer.body().length > 0
        && answer.body()[0] != 0;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "segment-desc",
        "write-read",
        "notified-writes",
        "probe-notify",
        "unknown-functions",
        "bootstrap-refused",
        "data-bounds",
        "staging",
        "forms",
        "error-texts-debug",
        "error-texts-release",
        "descriptors",
        "segment-updated",
        "misbehaving"
      })
  void whatTentSentIsSentAndWhatItAnsweredIsTaken(String recording) throws Exception {
    for (var section : Recording.load(recording).sections()) {
      for (var form : Form.values()) {
        play(recording, section, form);
      }
    }
  }

  @Test
  void eachOfTheDescriptorsIsRead() {
    Recording.load("descriptors")
        .texts()
        .forEach(
            (name, text) -> {
              if (OTHERS.contains(name)) {
                var refused = assertThrows(MalformedException.class, () -> read(name, text));
                assertTrue(refused.getMessage().contains(" at /shunt"), refused.getMessage());
                return;
              }
              var read = read(name, text);
              assertEquals(1, read.buffers().size(), name);
              assertEquals(0x720000000000L, read.buffers().getFirst().address(), name);
            });
  }

  private static Descriptor read(String name, byte[] text) {
    return DescriptorReader.read(name, text, DescriptorLimits.DEFAULT);
  }
}
