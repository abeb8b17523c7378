package dev.shunt.runtime.control;

import static dev.shunt.runtime.control.TwoNodes.SECOND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Refusal;
import dev.shunt.runtime.control.core.DataCodec;
import dev.shunt.runtime.control.core.DataDesk;
import dev.shunt.runtime.control.core.FenceCodec;
import dev.shunt.runtime.control.core.FenceReply;
import dev.shunt.runtime.control.core.FenceRequest;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.core.Greeting;
import dev.shunt.runtime.control.core.Hello;
import dev.shunt.runtime.control.core.HelloCodec;
import dev.shunt.runtime.control.core.HelloDesk;
import dev.shunt.runtime.control.core.HelloReply;
import dev.shunt.runtime.control.core.Offer;
import dev.shunt.runtime.control.golden.ServedMemory;
import dev.shunt.runtime.memory.RegisteredBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Codes beside the texts of refusals, for whom agreed on them, and for nobody else. */
class ErrorReplyTest {
  private static final Capability CODES = Capability.of(Refusal.CAPABILITY_ID, 1, 1);
  private static final Capability NEEDED = Capability.of("x.y", 1, 1);

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  // ---- Hello

  private static HelloReply refused(boolean ours, boolean theirs) {
    var mine = ours ? new Offer(List.of(CODES, NEEDED)) : new Offer(List.of(NEEDED));
    var other = theirs ? new Offer(List.of(CODES)) : Offer.NONE;
    var desk = new HelloDesk(5, mine, List.of("x.y"), 10);
    return desk.answer(new Hello(1, "a", 4, 0, other));
  }

  @Test
  void helloTellsACodeWhereBothOfferIt() {
    for (boolean ours : new boolean[] {false, true}) {
      for (boolean theirs : new boolean[] {false, true}) {
        var reply = refused(ours, theirs);
        var told = text(HelloCodec.write(reply));
        assertEquals(ours && theirs, told.contains("\"code\":\"CAPABILITY\""), told);
        assertEquals(reply, HelloCodec.readReply(told.getBytes(UTF_8)));
      }
    }
    var bytes =
        "{\"version\":1,\"status\":\"REFUSED\",\"generation\":\"5\",\"reason\":\"why\","
            + "\"code\":\"CAPABILITY\",\"offers\":[],\"identity\":{}}";
    var reply = new HelloReply.Refused(1, 5, Offer.NONE, "why", Optional.of(Refusal.CAPABILITY));
    assertEquals(bytes, text(HelloCodec.write(reply)));
    var later = HelloCodec.readReply(bytes.replace("CAPABILITY", "LATER").getBytes(UTF_8));
    assertEquals(new HelloReply.Refused(1, 5, Offer.NONE, "why"), later);
  }

  @Test
  void whoAskedSeesTheCodeOfAHello() {
    var greeting = new Greeting("a", 4, new Offer(List.of(CODES)), List.of());
    var ask = greeting.greet().orElseThrow();
    var outcome = greeting.answered(ask.attempt(), HelloCodec.write(refused(true, true)));
    var refused = (Greeting.Outcome.Refused) outcome.orElseThrow();
    assertTrue(refused.reason().startsWith("the peer refuses: CAPABILITY: x.y"), refused.reason());
  }

  // ---- Fence

  @Test
  void aFenceTellsACodeToWhomAskedForIt() {
    var asked = new FenceRequest("tcp", new LinkId(7, 42), 9, true);
    var bytes =
        "{\"version\":1,\"transport\":\"tcp\",\"generation\":\"7\",\"attempt\":\"42\","
            + "\"expected\":\"9\",\"errors\":1}";
    assertEquals(bytes, text(FenceCodec.write(asked)));
    assertEquals(asked, FenceCodec.readRequest(bytes.getBytes(UTF_8)));
    var coded = "{\"version\":1,\"status\":\"REFUSED\",\"reason\":\"busy\",\"code\":\"NOT_NOW\"}";
    var handler =
        new FenceHandler(
            9, (request, answer) -> answer.accept(new FenceReply.Refused(Refusal.NOT_NOW, "busy")));
    assertEquals(List.of(coded), answers(handler, asked));
    assertEquals(
        new FenceReply.Refused(Refusal.NOT_NOW, "busy"),
        FenceCodec.readReply(coded.getBytes(UTF_8)));
    assertEquals(
        List.of("{\"version\":1,\"status\":\"REFUSED\",\"reason\":\"busy\"}"),
        answers(handler, new FenceRequest("tcp", new LinkId(7, 42), 9)));
  }

  private static List<String> answers(FenceHandler handler, FenceRequest request) {
    var answers = new ArrayList<String>();
    handler.handle(
        FenceCodec.write(request),
        null,
        new ControlReply() {
          @Override
          public void send(byte[] attachment) {
            answers.add(text(attachment));
          }

          @Override
          public void fail(dev.shunt.api.FailureCode code, String why) {
            answers.add(code + why);
          }
        });
    return answers;
  }

  // ---- data

  private final ServedMemory memory = new ServedMemory();
  private final RegisteredBuffer readOnly = memory.register(8192, Access.REMOTE_READ);

  private byte[] answer(String mark, int function, byte[] head, String payload) {
    var nodes = new TwoNodes(1);
    nodes.b.serveData(new DataDesk(memory.table(), 6000, 7000));
    var client = new RawPeer(nodes.hostA, "raw");
    client.connect("10.0.0.1", "10.0.0.2", TwoNodes.PORT);
    int length = head.length + payload.length();
    var hex =
        "150000"
            + mark
            + "08000000"
            + "0d6674ff"
            + "08000000"
            + HexFormat.of().toHexDigits(Integer.reverseBytes(length))
            + "0840a555"
            + HexFormat.of().toHexDigits(Integer.reverseBytes(function))
            + HexFormat.of().formatHex(head)
            + HexFormat.of().formatHex(payload.getBytes(UTF_8));
    client.send(HexFormat.of().parseHex(hex));
    nodes.world.run(SECOND);
    return client.taken();
  }

  @Test
  void dataIsRefusedWithACodeToWhomAskedForItAndOtherwiseAsBefore() {
    var nowhere = DataCodec.head(0x7f00_0000_1000L, 4);
    var text = "RecvData failed: target address not in registered buffer";
    var head = "15000000" + "08000000" + "04000000" + "38000000" + "eacf0189";
    var plain = answer("00", Functions.RECV_DATA, nowhere, "");
    assertEquals(head, HexFormat.of().formatHex(plain, 0, 20));
    assertEquals(text, new String(plain, 20, plain.length - 20, UTF_8));

    var coded = answer("01", Functions.RECV_DATA, nowhere, "");
    var codedHead = "15000001" + "08000000" + "04000000" + "3f000000" + "eacf0189";
    assertEquals(codedHead, HexFormat.of().formatHex(coded, 0, 20));
    assertEquals("RANGE: " + text, new String(coded, 20, coded.length - 20, UTF_8));

    assertCode("ACCESS", answer("01", 3, DataCodec.head(readOnly.address(), 4), "abcd"));
    assertCode("TOO_LONG", answer("01", 4, DataCodec.head(readOnly.address(), 6001), ""));
    assertCode("MALFORMED", answer("01", 4, new byte[3], ""));
    var good = answer("01", Functions.RECV_DATA, DataCodec.head(readOnly.address(), 4), "");
    assertEquals(
        "15000000" + "08000000" + "04000000" + "04000000" + "eacf0189",
        HexFormat.of().formatHex(good, 0, 20),
        "a good answer is what it was");
  }

  private static void assertCode(String code, byte[] answer) {
    var text = new String(answer, 20, answer.length - 20, UTF_8);
    assertTrue(text.startsWith(code + ": "), text);
    assertEquals(1, answer[3]);
    assertEquals(Optional.of(Refusal.valueOf(code)), Refusal.leading(text));
  }
}
