package dev.shunt.transport.rdma.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.transport.rdma.wire.BootstrapExtension.Ready;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BootstrapCodecTest {
  private static final String GID = "00:00:00:00:00:00:00:00:00:00:ff:ff:c0:00:02:01";
  private static final BootstrapExtension EXTENSION =
      new BootstrapExtension(0x0123_4567_89ab_cdefL, -2, 7, 4096, false, "");

  private static BootstrapDesc desc(Optional<BootstrapExtension> extension) {
    return new BootstrapDesc(
        "alpha@mlx5_0", "beta@mlx5_1", List.of(17, 0xff_ffff), 3, GID, "", 0, extension);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void theBytesOfAPlainOne() {
    assertEquals(
        "{\"local_gid\":\""
            + GID
            + "\",\"local_lid\":3,\"local_nic_path\":\"alpha@mlx5_0\",\"notify_qp_num\":0,"
            + "\"peer_nic_path\":\"beta@mlx5_1\",\"qp_num\":[17,16777215],\"reply_msg\":\"\"}",
        new String(BootstrapCodec.encode(desc(Optional.empty())), StandardCharsets.UTF_8));
  }

  @Test
  void theBytesBetweenShuntNodes() {
    var text =
        new String(BootstrapCodec.encode(desc(Optional.of(EXTENSION))), StandardCharsets.UTF_8);
    assertTrue(
        text.endsWith(
            ",\"shunt\":{\"generation\":\"0123456789abcdef\",\"peer_generation\":"
                + "\"fffffffffffffffe\",\"attempt\":\"0000000000000007\",\"mtu\":4096}}"),
        text);
  }

  @Test
  void whatIsWrittenIsReadBack() throws BootstrapException {
    var refusal =
        new BootstrapDesc(
            "a@x",
            "\u00e9\"\\@y",
            List.of(),
            0,
            "",
            "no\nmore",
            9,
            Optional.of(new BootstrapExtension(1, 2, 3, 256, true, "CONNECTION")));
    for (var desc : List.of(desc(Optional.empty()), desc(Optional.of(EXTENSION)), refusal)) {
      assertEquals(desc, BootstrapCodec.decode(BootstrapCodec.encode(desc)));
    }
    assertTrue(refusal.refused());
  }

  @Test
  void whatIsSaidOfNotificationsStandsThereOnlyWhereThereIsSomethingToSay()
      throws BootstrapException {
    var link = new BootstrapExtension(1, 2, 3, 4096, false, "", false, 0, Ready.NONE, true);
    var desc = new BootstrapDesc("a@x", "b@y", List.of(), 0, GID, "", 77, 1, Optional.of(link));
    var text = new String(BootstrapCodec.encode(desc), StandardCharsets.UTF_8);
    assertTrue(text.contains("\"notify_qp_num\":77,"), text);
    assertTrue(text.contains("\"reply_msg\":\"\",\"notify_proto\":1,"), text);
    assertTrue(text.endsWith(",\"notify\":1}}"), text);
    assertEquals(desc, BootstrapCodec.decode(bytes(text)));
  }

  @Test
  void keysOfLaterVersionsAreIgnored() throws BootstrapException {
    var text =
        new String(BootstrapCodec.encode(desc(Optional.of(EXTENSION))), StandardCharsets.UTF_8)
            .replace("\"mtu\"", "\"later\":{\"deep\":[1,{}]},\"mtu\"")
            .replace("\"local_lid\"", "\"notify_later\":1,\"local_lid\"");
    assertEquals(desc(Optional.of(EXTENSION)), BootstrapCodec.decode(bytes(text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "local_nic_path",
        "peer_nic_path",
        "qp_num",
        "local_lid",
        "local_gid",
        "reply_msg",
        "notify_qp_num",
        "generation",
        "peer_generation",
        "attempt",
        "mtu"
      })
  void aMissingKeyIsNamed(String key) {
    var text =
        new String(BootstrapCodec.encode(desc(Optional.of(EXTENSION))), StandardCharsets.UTF_8)
            .replace("\"" + key + "\"", "\"other\"");
    var thrown = assertThrows(BootstrapException.class, () -> BootstrapCodec.decode(bytes(text)));
    assertTrue(thrown.getMessage().contains(key), thrown.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "null",
        "{",
        "{}x",
        "{\"qp_num\":17}",
        "{\"qp_num\":[\"17\"]}",
        "{\"qp_num\":[16777216]}",
        "{\"qp_num\":[-1]}",
        "{\"qp_num\":[1.5]}",
        "{\"qp_num\":[99999999999999999999999]}",
        "{\"local_lid\":65536}",
        "{\"local_lid\":\"3\"}",
        "{\"local_gid\":null}",
        "{\"reply_msg\":{}}",
        "{\"shunt\":[]}",
        "{\"shunt\":{\"generation\":17}}",
        "{\"shunt\":{\"generation\":\"17\"}}",
        "{\"shunt\":{\"generation\":\"0123456789abcdeg\"}}",
        "{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]}"
      })
  void malformedOnesAreRefused(String text) {
    assertThrows(BootstrapException.class, () -> BootstrapCodec.decode(bytes(text)));
  }

  @Test
  void tooManyQpsAndTooManyBytesAreRefused() {
    var many = "{\"qp_num\":[" + "1,".repeat(BootstrapCodec.MAX_QPS) + "1]}";
    assertThrows(BootstrapException.class, () -> BootstrapCodec.decode(bytes(many)));
    var big = bytes("{\"a\":\"" + "x".repeat(BootstrapCodec.MAX_BYTES) + "\"}");
    assertThrows(BootstrapException.class, () -> BootstrapCodec.decode(big));
  }

  @Test
  void damagedBytesGiveAnErrorAndNothingElse() {
    long seed = 20_260_101;
    var random = new Random(seed);
    var good = BootstrapCodec.encode(desc(Optional.of(EXTENSION)));
    for (int i = 0; i < 5_000; i++) {
      var damaged = good.clone();
      for (int k = random.nextInt(3); k >= 0; k--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        BootstrapCodec.decode(damaged);
      } catch (BootstrapException e) {
        assertTrue(!e.getMessage().isEmpty(), "seed " + seed + ", round " + i);
      }
    }
  }
}
