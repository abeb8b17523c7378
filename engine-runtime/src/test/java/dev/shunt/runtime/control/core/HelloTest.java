package dev.shunt.runtime.control.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.sim.Dice;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Capability.Scope;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Refusal;
import dev.shunt.runtime.control.core.Greeting.Outcome;
import dev.shunt.runtime.json.MalformedException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HelloTest {
  private static final long MINE = 7_689_040_871_221_231_615L;
  private static final long THEIRS = -2L;
  private static final Offer OFFER =
      new Offer(
          List.of(
              Capability.of("tcp.stream", 1, 2),
              new Capability("tcp.crc32c", 1, 1, Scope.PEER, List.of("tcp.stream")),
              new Capability("rdma.write_imm", 1, 1, Scope.ENDPOINT, List.of())));

  /** The bytes of version 1, as the package's documentation specifies them. */
  private static final String HELLO =
      "{\"version\":1,\"sender\":\"10.0.0.1:15100\",\"generation\":\"7689040871221231615\","
          + "\"expected\":\"18446744073709551614\",\"offers\":["
          + "{\"id\":\"rdma.write_imm\",\"low\":1,\"high\":1,\"scope\":\"endpoint\"},"
          + "{\"id\":\"tcp.crc32c\",\"low\":1,\"high\":1,\"requires\":[\"tcp.stream\"]},"
          + "{\"id\":\"tcp.stream\",\"low\":1,\"high\":2}],\"identity\":{}}";

  private static final String OK =
      "{\"version\":1,\"status\":\"OK\",\"generation\":\"18446744073709551614\",\"offers\":["
          + "{\"id\":\"tcp.stream\",\"low\":1,\"high\":1}],\"identity\":{}}";

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  private static Greeting greeting(String... required) {
    return new Greeting("10.0.0.1:15100", MINE, OFFER, List.of(required));
  }

  private static HelloDesk desk(String... required) {
    return new HelloDesk(THEIRS, OFFER, List.of(required), 4);
  }

  private static Hello hello(String sender, long generation, long expected, Offer offer) {
    return new Hello(1, sender, generation, expected, offer);
  }

  @Test
  void theQuestionHasItsRecordedBytes() {
    var hello = hello("10.0.0.1:15100", MINE, THEIRS, OFFER);
    assertEquals(HELLO, text(HelloCodec.write(hello)));
    assertEquals(hello, HelloCodec.readHello(HELLO.getBytes(UTF_8)));
  }

  @Test
  void theAnswersHaveTheirRecordedBytes() {
    var replies =
        Map.of(
            OK,
            new HelloReply.Ok(1, THEIRS, new Offer(List.of(Capability.of("tcp.stream", 1, 1)))),
            "{\"version\":1,\"status\":\"STALE_GENERATION\",\"generation\":\"5\",\"identity\":{}}",
            new HelloReply.StaleGeneration(1, 5),
            "{\"version\":1,\"status\":\"REFUSED\",\"generation\":\"5\",\"reason\":\"why\","
                + "\"offers\":[],\"identity\":{}}",
            new HelloReply.Refused(1, 5, Offer.NONE, "why"),
            "",
            new HelloReply.Plain());
    replies.forEach(
        (bytes, reply) -> {
          assertEquals(bytes, text(HelloCodec.write(reply)));
          assertEquals(reply, HelloCodec.readReply(bytes.getBytes(UTF_8)));
        });
  }

  @Test
  void aLaterVersionIsReadWithoutWhatItAdds() {
    var later =
        "{\"version\":2,\"zone\":{\"a\":[1,2]},\"status\":\"OK\",\"generation\":\"9\",\"offers\":["
            + "{\"id\":\"tcp.stream\",\"low\":1,\"high\":7,\"cost\":1.5},"
            + "{\"id\":\"new\",\"low\":1,\"high\":1,\"scope\":\"rack\"}],"
            + "\"identity\":{\"proof\":\"x\"}}";
    var ok = assertInstanceOf(HelloReply.Ok.class, HelloCodec.readReply(later.getBytes(UTF_8)));
    assertEquals(2, ok.version());
    assertEquals(Map.of("tcp.stream", 2), Negotiation.verdict(OFFER, ok.offer()).versions());
  }

  @Test
  void whatIsWrongIsToldWithItsPlace() {
    var faults =
        Map.of(
            "{",
            "not JSON",
            "[]",
            "an object is expected, not an array",
            HELLO.replace("\"generation\":\"7689040871221231615\",", ""),
            "\"generation\" is missing",
            HELLO.replace("7689040871221231615", "0"),
            "generation 0",
            HELLO.replace("7689040871221231615", "-1"),
            "decimal digits",
            HELLO.replace("\"low\":1,\"high\":2", "\"low\":3,\"high\":2"),
            "from version 3 to 2",
            HELLO.replace("\"high\":2", "\"high\":\"2\""),
            "/offers/2/high: a whole number",
            HELLO.replace("tcp.crc32c", "tcp.stream"),
            "offered twice",
            HELLO.replace("tcp.crc32c", "TCP"),
            "is no id",
            HELLO.replace("\"offers\":[", "\"offers\":[{},"),
            "/offers/0: the key \"id\" is missing");
    faults.forEach(
        (bytes, text) -> {
          var thrown =
              assertThrows(
                  MalformedException.class, () -> HelloCodec.readHello(bytes.getBytes(UTF_8)));
          assertTrue(thrown.getMessage().contains(text), thrown.getMessage());
        });
  }

  @Test
  void mutatedTextsAreReadOrRefusedAndNothingElse() {
    long seed = 64;
    var dice = new Dice(seed);
    for (int i = 0; i < 20_000; i++) {
      var text = Mutations.of((i % 2 == 0 ? HELLO : OK).getBytes(UTF_8), dice);
      try {
        if (i % 2 == 0) {
          HelloCodec.readHello(text);
        } else {
          HelloCodec.readReply(text);
        }
      } catch (MalformedException refused) {
        assertTrue(refused.getMessage().length() > 5);
      }
    }
  }

  @Test
  void oneHelloIsInFlightAndAllWhoWaitGetItsAnswer() {
    var greeting = greeting();
    var ask = greeting.greet().orElseThrow();
    assertTrue(greeting.greet().isEmpty());
    assertEquals(0, ask.hello().expected());
    var met =
        assertInstanceOf(
            Outcome.Met.class, greeting.answered(ask.attempt(), OK.getBytes(UTF_8)).orElseThrow());
    assertEquals(THEIRS, met.generation());
    assertEquals(Map.of("tcp.stream", 1), met.verdict().versions());
    assertEquals(THEIRS, greeting.greet().orElseThrow().hello().expected());
  }

  @Test
  void anAnswerToAnEarlierHelloIsDropped() {
    var greeting = greeting();
    var first = greeting.greet().orElseThrow();
    assertEquals(0, greeting.described(17), "nothing was known before");
    assertTrue(greeting.answered(first.attempt(), OK.getBytes(UTF_8)).isEmpty());
    assertTrue(greeting.failed(first.attempt(), Fault.unsupported("late")).isEmpty());
    var second = greeting.greet().orElseThrow();
    assertEquals(17, second.hello().expected());
    assertTrue(greeting.answered(first.attempt(), OK.getBytes(UTF_8)).isEmpty());
    assertTrue(greeting.asking());
  }

  @Test
  void anotherProcessThanTheDescriptorToldOfIsStale() {
    var greeting = greeting();
    greeting.described(17);
    var ask = greeting.greet().orElseThrow();
    var reply = desk().answer(ask.hello());
    var stale =
        assertInstanceOf(
            Outcome.Stale.class,
            greeting.answered(ask.attempt(), HelloCodec.write(reply)).orElseThrow());
    assertEquals(new Outcome.Stale(THEIRS, 17), stale);
    assertEquals(0, greeting.described(THEIRS), "it is known already");
    assertEquals(THEIRS, greeting.greet().orElseThrow().hello().expected());
  }

  @Test
  void aPeerThatFailsToSayThatItIsAnotherIsStaleToo() {
    var greeting = greeting();
    greeting.described(17);
    var ask = greeting.greet().orElseThrow();
    assertEquals(
        new Outcome.Stale(THEIRS, 17),
        greeting.answered(ask.attempt(), OK.getBytes(UTF_8)).orElseThrow());
  }

  @Test
  void aRestartedPeerRetiresItsPredecessorAtItsNewDescriptor() {
    var greeting = greeting();
    greeting.answered(greeting.greet().orElseThrow().attempt(), OK.getBytes(UTF_8));
    assertEquals(THEIRS, greeting.described(18));
    assertTrue(greeting.outcome().isEmpty(), "capabilities are negotiated afresh");
    assertEquals(0, greeting.described(18));
  }

  @Test
  void anEmptyAnswerIsThatOfAPlainPeer() {
    var greeting = greeting("tcp.stream");
    var ask = greeting.greet().orElseThrow();
    assertEquals(new Outcome.Plain(), greeting.answered(ask.attempt(), new byte[0]).orElseThrow());
  }

  @Test
  void whatWeRequireAndThePeerLacksIsARefusal() {
    var greeting = greeting("tcp.crc32c");
    var ask = greeting.greet().orElseThrow();
    var refused =
        assertInstanceOf(
            Outcome.Refused.class,
            greeting.answered(ask.attempt(), OK.getBytes(UTF_8)).orElseThrow());
    assertTrue(
        refused.reason().contains("offered here 1 to 1, offered there none"), refused.reason());
  }

  @Test
  void whatThePeerRequiresAndWeLackIsARefusal() {
    var desk = new HelloDesk(THEIRS, OFFER, List.of("tcp.stream"), 4);
    var greeting = new Greeting("plainer", MINE, Offer.NONE, List.of());
    var ask = greeting.greet().orElseThrow();
    var refused =
        assertInstanceOf(
            Outcome.Refused.class,
            greeting
                .answered(ask.attempt(), HelloCodec.write(desk.answer(ask.hello())))
                .orElseThrow());
    assertTrue(
        refused.reason().contains("offered here 1 to 2, offered there none"), refused.reason());
  }

  @Test
  void aMalformedAnswerIsAFailure() {
    var greeting = greeting();
    var ask = greeting.greet().orElseThrow();
    var failed =
        assertInstanceOf(
            Outcome.Failed.class,
            greeting.answered(ask.attempt(), "{}".getBytes(UTF_8)).orElseThrow());
    assertEquals(FailureCode.PROTOCOL, failed.fault().code());
    assertTrue(greeting.greet().isPresent(), "it may be asked again");
  }

  @Test
  void anInboundHelloRetiresNobody() {
    var desk = desk();
    desk.answer(hello("n", 1, 0, OFFER));
    desk.answer(hello("n", 2, THEIRS, Offer.NONE));
    assertEquals(2, desk.verdict("n", 1).orElseThrow().version("tcp.stream"));
    assertEquals(Map.of(), desk.verdict("n", 2).orElseThrow().versions());
    assertEquals(new HelloReply.StaleGeneration(1, THEIRS), desk.answer(hello("n", 3, 5, OFFER)));
    assertTrue(desk.verdict("n", 3).isEmpty(), "it will ask again");
  }

  @Test
  void aNodeThatClosesMeetsNobodyAndStillTellsWhoItIs() {
    var codes = new Offer(List.of(Capability.of(Refusal.CAPABILITY_ID, 1, 1)));
    var desk = new HelloDesk(THEIRS, codes, List.of(), 4);
    assertEquals(
        new HelloReply.Refused(1, THEIRS, codes, "the node closes", Optional.of(Refusal.CLOSING)),
        desk.closing(hello("n", 1, THEIRS, codes)));
    assertEquals(
        new HelloReply.Refused(1, THEIRS, codes, "the node closes"),
        desk.closing(hello("n", 1, 0, OFFER)),
        "no code to whom did not agree on codes");
    assertEquals(new HelloReply.StaleGeneration(1, THEIRS), desk.closing(hello("n", 1, 5, codes)));
    assertTrue(desk.verdict("n", 1).isEmpty());
  }

  @Test
  void whoAskedSeesWhyItWasRefused() {
    var codes = new Offer(List.of(Capability.of(Refusal.CAPABILITY_ID, 1, 1)));
    var desk = new HelloDesk(THEIRS, codes, List.of(), 4);
    var greeting = new Greeting("n", MINE, codes, List.of());
    var ask = greeting.greet().orElseThrow();
    assertEquals(
        new Outcome.Refused(
            THEIRS, "the peer refuses: CLOSING: the node closes", Optional.of(Refusal.CLOSING)),
        greeting
            .answered(ask.attempt(), HelloCodec.write(desk.closing(ask.hello())))
            .orElseThrow());
  }

  @Test
  void aDeskRemembersNoMoreThanItMay() {
    var desk = desk();
    for (int i = 1; i <= 10; i++) {
      desk.answer(hello("n" + i, i, 0, OFFER));
    }
    assertTrue(desk.verdict("n6", 6).isEmpty());
    assertTrue(desk.verdict("n7", 7).isPresent());
  }

  @Test
  void fencesHaveTheirRecordedBytes() {
    var request = new FenceRequest("tcp", new LinkId(MINE, 42), THEIRS);
    var text =
        "{\"version\":1,\"transport\":\"tcp\",\"generation\":\"7689040871221231615\","
            + "\"attempt\":\"42\",\"expected\":\"18446744073709551614\"}";
    assertEquals(text, text(FenceCodec.write(request)));
    assertEquals(request, FenceCodec.readRequest(text.getBytes(UTF_8)));
    var replies =
        Map.of(
            "{\"version\":1,\"status\":\"FENCED\"}",
            new FenceReply.Fenced(),
            "{\"version\":1,\"status\":\"REFUSED\",\"reason\":\"busy\"}",
            new FenceReply.Refused("busy"),
            "{\"version\":1,\"status\":\"STALE_GENERATION\",\"generation\":\"5\"}",
            new FenceReply.StaleGeneration(5));
    replies.forEach(
        (bytes, reply) -> {
          assertEquals(bytes, text(FenceCodec.write(reply)));
          assertEquals(reply, FenceCodec.readReply(bytes.getBytes(UTF_8)));
        });
    assertInstanceOf(FenceReply.Refused.class, FenceCodec.readReply(new byte[0]));
  }
}
