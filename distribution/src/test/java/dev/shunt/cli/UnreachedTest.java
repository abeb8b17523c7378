package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Status;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnreachedTest {
  private static final ShuntException LATE = new ShuntException(FailureCode.DEADLINE, "too late");

  private static Status.Peer peer(String name, boolean silent) {
    var mark = new Status.Unreachable(Instant.EPOCH, "refused", Instant.EPOCH);
    var unreachable = silent ? Optional.of(mark) : Optional.<Status.Unreachable>empty();
    return new Status.Peer(
        name, 1, "tcp", Optional.empty(), Map.of(), 0, 0, unreachable, List.of());
  }

  @Test
  void aDeadlineThatPassedWithoutThePeerIsAPeerThatWasNotReached() {
    var told = Unreached.told(LATE, "b", List.of(peer("a", false), peer("b", true)));
    assertEquals(ExitCode.UNREACHABLE, ExitCode.of(told.code()));
    assertEquals("too late", told.getMessage());
  }

  @Test
  void whatFailedOtherwiseIsToldAsItIs() {
    assertSame(LATE, Unreached.told(LATE, "a", List.of(peer("a", false), peer("b", true))));
    var wrong = new ShuntException(FailureCode.CHECKSUM, "other bytes");
    assertSame(wrong, Unreached.told(wrong, "b", List.of(peer("b", true))));
  }
}
