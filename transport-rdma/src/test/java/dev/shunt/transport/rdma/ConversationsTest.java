package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Whole handshakes, byte for byte as they are recorded in {@code handshakes.txt}: what one version
 * says the next has to understand. A message that changes on purpose is recorded anew, by hand.
 */
class ConversationsTest {
  private final List<String> said = new ArrayList<>();

  private Pair pair(Map<String, Integer> agreed) {
    var pair = new Pair();
    pair.a.verdict = new Verdict(agreed);
    pair.b.onAsked = request -> said.add("> " + HexFormat.of().formatHex(request));
    pair.b.answers =
        answer -> {
          said.add("< " + HexFormat.of().formatHex(answer));
          return answer;
        };
    return pair;
  }

  private void same(String title) throws Exception {
    var recorded = new ArrayList<String>();
    try (var in = ConversationsTest.class.getResourceAsStream("handshakes.txt")) {
      boolean mine = false;
      for (var line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (line.startsWith("## ")) {
          mine = line.equals("## " + title);
        } else if (mine && !line.isEmpty() && !line.startsWith("#")) {
          recorded.add(line);
        }
      }
    }
    assertEquals(String.join("\n", recorded), String.join("\n", said), title);
  }

  private static void close(Pair pair, LinkId link) {
    pair.a.channels.get(link).retire(RetireReason.CLOSED, pair.world.now());
    pair.down(link);
    pair.run(SECOND);
  }

  @Test
  void withAPlainPeer() throws Exception {
    var pair = pair(Map.of());
    close(pair, pair.up(pair.a.connect(pair.b, 0, 0, 0, SECOND)));
    same("a plain peer");
  }

  @Test
  void betweenShuntNodes() throws Exception {
    var pair = pair(Map.of());
    close(pair, pair.up());
    same("Shunt nodes");
  }

  @Test
  void withTheWordThatItIsReady() throws Exception {
    var pair = pair(Map.of(Connector.READY_ACK, 1));
    close(pair, pair.up());
    same("rdma.ready_ack");
  }

  @Test
  void inTwoRounds() throws Exception {
    var pair = pair(Map.of());
    pair.nicsA[0].refuseAddress(1);
    close(pair, pair.up());
    same("two rounds");
  }

  @Test
  void refused() throws Exception {
    var pair = pair(Map.of());
    pair.nicsB[0].down();
    pair.run(SECOND);
    pair.refused(pair.a.connect(pair.b, 0, 0, SECOND));
    pair.a.verdict = new Verdict(Map.of(Refusal.CAPABILITY_ID, 1));
    pair.refused(pair.a.connect(pair.b, 0, 0, SECOND));
    pair.refused(pair.a.connect(pair.b, 0xb0, 0, 0, SECOND));
    pair.run(SECOND);
    same("refusals");
  }
}
