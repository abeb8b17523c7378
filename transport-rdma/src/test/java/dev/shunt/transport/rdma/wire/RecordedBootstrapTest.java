package dev.shunt.transport.rdma.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Handshakes as Mooncake's TENT engine sends and answers them, byte for byte. */
class RecordedBootstrapTest {
  /** Messages of a recording by their mark: {@code >} and {@code <} whole, {@code !} not. */
  static List<byte[]> recorded(String file, String mark) {
    try (var in = RecordedBootstrapTest.class.getResourceAsStream(file)) {
      var found = new ArrayList<byte[]>();
      for (var line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (line.startsWith(mark + " ")) {
          found.add(HexFormat.of().parseHex(line.substring(2)));
        }
      }
      return found;
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatAPeerSendsIsReadAndSaidTheSameWay() throws Exception {
    int count = 0;
    for (var mark : List.of(">", "<")) {
      for (var bytes : recorded("tent-bootstrap.txt", mark)) {
        var desc = BootstrapCodec.decode(bytes);
        var again = BootstrapCodec.encode(desc);
        assertEquals(desc, BootstrapCodec.decode(again));
        var text = new String(bytes, StandardCharsets.UTF_8);
        // A peer that a test stood in for wrote blanks.
        var compact = text.replace("\": ", "\":").replace(", \"", ",\"").replace("[1, 2]", "[1,2]");
        assertEquals(compact, new String(again, StandardCharsets.UTF_8));
        count++;
      }
    }
    assertEquals(22, count);
  }

  @Test
  void aRefusalOfItsIsOne() throws Exception {
    long refused = 0;
    for (var bytes : recorded("tent-bootstrap.txt", "<")) {
      refused += BootstrapCodec.decode(bytes).refused() ? 1 : 0;
    }
    assertEquals(13, refused);
  }

  @Test
  void whatItWouldTakeAndThatCannotBeIsRefused() {
    var wrong = recorded("tent-bootstrap.txt", "!");
    assertEquals(14, wrong.size());
    for (var bytes : wrong) {
      var thrown = assertThrows(BootstrapException.class, () -> BootstrapCodec.decode(bytes));
      assertTrue(!thrown.getMessage().isEmpty());
    }
  }
}
