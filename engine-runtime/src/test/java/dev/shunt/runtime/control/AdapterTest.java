package dev.shunt.runtime.control;

import static dev.shunt.runtime.control.TwoNodes.B;
import static dev.shunt.runtime.control.TwoNodes.SECOND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.Verdict;
import dev.shunt.runtime.control.core.FenceCodec;
import dev.shunt.runtime.control.core.FenceReply;
import dev.shunt.runtime.control.core.FenceRequest;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.core.Greeting;
import dev.shunt.runtime.control.core.HelloDesk;
import dev.shunt.runtime.control.core.Offer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class AdapterTest {
  private static final Remote.Node NODE = new Remote.Node("b", 9, Verdict.PLAIN);

  private final TwoNodes nodes = new TwoNodes(1);
  private final List<Runnable> supervisor = new ArrayList<>();
  private final List<String> told = new ArrayList<>();

  private PluginControl plugin(ControlService service, List<String> where) {
    return new PluginControl(service, supervisor::add, node -> where);
  }

  private ControlPlane.ReplyHandler teller() {
    return new ControlPlane.ReplyHandler() {
      @Override
      public void reply(byte[] reply) {
        told.add(new String(reply, UTF_8));
      }

      @Override
      public void failed(Fault fault) {
        told.add(fault.code().name());
      }
    };
  }

  /** Lets time pass, with the supervisor running its tasks. */
  private void run() {
    nodes.world.runUntil(() -> !supervisor.isEmpty(), 5 * SECOND);
    while (!supervisor.isEmpty()) {
      supervisor.removeFirst().run();
    }
  }

  @Test
  void aPluginServesAndCallsOnItsSupervisorOnly() {
    var served = new ArrayList<String>();
    plugin(nodes.b, List.of())
        .serve(
            128,
            (request, reply) -> {
              served.add(new String(request, UTF_8));
              reply.send("answer".getBytes(UTF_8));
            });
    plugin(nodes.a, B)
        .call(NODE, 128, "ask".getBytes(UTF_8), nodes.world.now() + 2 * SECOND, teller());
    nodes.world.runUntil(() -> !supervisor.isEmpty(), SECOND);
    assertEquals(List.of(), served, "it waits for the supervisor");
    run();
    assertEquals(List.of("ask"), served);
    nodes.world.runUntil(() -> !supervisor.isEmpty(), SECOND);
    assertEquals(List.of(), told);
    run();
    assertEquals(List.of("answer"), told);
  }

  @Test
  void aPluginWhoseSupervisorIsGoneAnswersClosed() {
    new PluginControl(nodes.b, task -> false, node -> List.of())
        .serve(128, (request, reply) -> reply.send(request));
    var ending = nodes.call(B, 128, new byte[0], SECOND);
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(FailureCode.CLOSED, ending.code());
  }

  @Test
  void aNodeThatNobodyKnowsIsToldOf() {
    plugin(nodes.a, List.of()).call(NODE, 128, new byte[0], nodes.world.now() + SECOND, teller());
    run();
    assertEquals(List.of("UNKNOWN_SEGMENT"), told);
  }

  @Test
  void aPluginCannotTakeTheRuntimesFunctions() {
    var plugin = plugin(nodes.a, B);
    for (int function : List.of(1, 3, 4, 5, 6, 7, 8, 10, 11, 64, 65, 127)) {
      assertThrows(
          IllegalArgumentException.class, () -> plugin.serve(function, (request, reply) -> {}));
    }
    for (int function : List.of(2, 128)) {
      plugin.serve(function, (request, reply) -> {});
    }
  }

  @Test
  void twoNodesMeet() {
    var offerB = new Offer(List.of(Capability.of("tcp.stream", 1, 2)));
    var desk = new HelloDesk(9, offerB, List.of(), 10);
    nodes.b.serve(Functions.HELLO, new HelloHandler(desk::answer));
    var offerA = new Offer(List.of(Capability.of("tcp.stream", 1, 1)));
    var greeting = new Greeting("a", 5, offerA, List.of());
    var outcome = greet(greeting);
    assertEquals(new Greeting.Outcome.Met(9, ((Greeting.Outcome.Met) outcome).verdict()), outcome);
    assertEquals(Map.of("tcp.stream", 1), desk.verdict("a", 5).orElseThrow().versions());
  }

  @Test
  void aPeerWithoutHelloIsPlain() {
    assertEquals(new Greeting.Outcome.Plain(), greet(new Greeting("a", 5, Offer.NONE, List.of())));
  }

  private Greeting.Outcome greet(Greeting greeting) {
    var ask = greeting.greet().orElseThrow();
    var ending =
        nodes.call(
            B,
            Functions.HELLO,
            dev.shunt.runtime.control.core.HelloCodec.write(ask.hello()),
            SECOND);
    assertTrue(nodes.until(ending, SECOND));
    return greeting.answered(ask.attempt(), ending.reply).orElseThrow();
  }

  @Test
  void aMalformedHelloIsRefusedInWords() {
    nodes.b.serve(Functions.HELLO, new HelloHandler(hello -> null));
    var ending = nodes.call(B, Functions.HELLO, "{}".getBytes(UTF_8), SECOND);
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(FailureCode.PROTOCOL, ending.code());
    assertTrue(ending.fault.text().contains("\"version\" is missing"), ending.fault.text());
  }

  @Test
  void aFenceIsAnsweredWhenItIsDoneAndByThisGenerationOnly() {
    var asked = new ArrayList<FenceRequest>();
    var ends = new ArrayList<Consumer<FenceReply>>();
    nodes.b.serve(
        Functions.FENCE,
        new FenceHandler(
            9,
            (request, end) -> {
              asked.add(request);
              ends.add(end);
            }));
    var request = new FenceRequest("tcp", new LinkId(5, 1), 9);
    var ending = nodes.call(B, Functions.FENCE, FenceCodec.write(request), 5 * SECOND);
    nodes.world.run(SECOND);
    assertTrue(!ending.over());
    assertEquals(List.of(request), asked);
    ends.getFirst().accept(new FenceReply.Fenced());
    assertTrue(nodes.until(ending, SECOND));
    assertEquals(new FenceReply.Fenced(), FenceCodec.readReply(ending.reply));
    for (long other : new long[] {0, 8}) {
      var stale =
          nodes.call(
              B,
              Functions.FENCE,
              FenceCodec.write(new FenceRequest("tcp", new LinkId(5, 1), other)),
              SECOND);
      assertTrue(nodes.until(stale, SECOND));
      assertEquals(new FenceReply.StaleGeneration(9), FenceCodec.readReply(stale.reply));
    }
    assertEquals(1, asked.size());
  }
}
