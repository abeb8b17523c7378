package dev.shunt.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.Verdict;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bits flip on a path; with {@code tcp.crc32c} nothing damaged counts as written. */
class DamageTest {
  private static final int SEEDS = 300;
  private static final long LENGTH = 20_000;
  private int damaged;
  private int broken;

  @Test
  void whatIsCompletedIsWhole() {
    int wrong = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      wrong += play(seed, new Verdict(Map.of("tcp.stream", 2, "tcp.crc32c", 1)));
    }
    assertEquals(0, wrong);
    assertTrue(damaged > SEEDS / 2, "only " + damaged + " payloads were damaged");
    assertTrue(broken > 0, "no header was damaged");
  }

  @Test
  void withoutTheAgreementDamageIsCompleted() {
    int wrong = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      wrong += play(seed, new Verdict(Map.of("tcp.stream", 2)));
    }
    assertTrue(wrong > SEEDS / 2, "the test beside this one proves nothing: " + wrong);
    assertEquals(0, damaged);
  }

  /** Writes while bits flip, each redone until it is completed; counts those that are wrong. */
  private int play(long seed, Verdict verdict) {
    var town = new Town(seed, 1, "");
    town.b.verdict = verdict;
    var channel = town.up(town.a, town.b, 0, 0);
    int wrong = 0;
    for (int content = 1; content <= 4; content++) {
      town.network.path("10.0.0.1", "10.0.0.2").corrupt(1);
      Write write;
      do {
        if (channel.room() == 0) {
          broken++;
          channel = town.up(town.a, town.b, 0, 0);
        }
        write = ended(town, channel, content);
        damaged += write.fault != null && write.fault.code() == FailureCode.CHECKSUM ? 1 : 0;
      } while (write.fault != null);
      wrong += Town.holds(town.b, content, LENGTH) ? 0 : 1;
    }
    return wrong;
  }

  private static Write ended(Town town, Channel channel, int content) {
    var write = town.post(channel, town.b, content, LENGTH);
    assertTrue(town.until(write::ended));
    return write;
  }
}
