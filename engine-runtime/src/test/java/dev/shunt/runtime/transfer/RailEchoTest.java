package dev.shunt.runtime.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import dev.shunt.runtime.transfer.RailEcho.Outcome;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RailEchoTest {
  private static final long SECOND = 1_000_000_000L;
  private static final byte[] PAGE = {1, 2, 3, 4, 5, 6, 7, 8};

  private final MemorySegment memory = Arena.ofAuto().allocate(32);
  private final List<Outcome> answers = new ArrayList<>();
  private final List<Slice> posted = new ArrayList<>();
  private final List<RetireReason> retired = new ArrayList<>();
  private final RailEcho echo =
      new RailEcho(
          new RailEcho.Asked(() -> 7, memory, 16, 4096, 99, PAGE),
          answers::add,
          () -> released = true);
  private boolean released;
  private int room = 1;

  private final Channel channel =
      new Channel() {
        @Override
        public Link link() {
          throw new UnsupportedOperationException();
        }

        @Override
        public int room() {
          return room;
        }

        @Override
        public void post(Slice slice, long now) {
          posted.add(slice);
        }

        @Override
        public void flush(long now) {
          // It goes out when the test says so.
        }

        @Override
        public boolean fence(LinkId stale, long now) {
          return false;
        }

        @Override
        public void retire(RetireReason reason, long now) {
          retired.add(reason);
        }
      };

  RailEchoTest() {
    var peer = new Remote.Target("peer");
    var rail = new RemoteRail("far", 0, Map.of());
    echo.begun(new ConnectRequest(new LinkId(1, 1), peer, null, rail, 0, 10 * SECOND));
  }

  private static Fault fault(Fault.Blame blame, FailureCode code) {
    return new Fault(blame, code, Fault.Effect.NONE, "it is so");
  }

  private void bring(byte[] page) {
    MemorySegment.copy(page, 0, memory, java.lang.foreign.ValueLayout.JAVA_BYTE, 16, page.length);
    echo.completed();
    echo.look(SECOND);
  }

  private void up() {
    echo.up(channel);
    echo.look(SECOND);
  }

  @Test
  void itReadsThreeTimesOneAfterTheOther() {
    assertEquals(11 * SECOND, echo.nextLook());
    up();
    for (int i = 1; i <= RailEcho.IN_A_ROW; i++) {
      assertEquals(i, posted.size());
      assertEquals(List.of(), answers);
      bring(PAGE);
    }
    assertInstanceOf(Outcome.Verified.class, answers.getFirst());
    assertEquals(3, posted.size());
    assertEquals(List.of(RetireReason.EVICTED), retired);
    assertFalse(echo.over());
    echo.channelDown(fault(Fault.Blame.NEUTRAL, FailureCode.CONNECTION));
    echo.look(SECOND);
    assertTrue(echo.over());
    assertTrue(released);
    assertEquals(1, answers.size());
    var slice = posted.getFirst();
    assertFalse(slice.write());
    assertEquals(
        List.of(16L, 8L, 4096L, 99L, 10 * SECOND),
        List.of(
            slice.offset(),
            slice.length(),
            slice.remoteAddress(),
            slice.remoteKey(),
            slice.deadline()));
  }

  @Test
  void whatWasReadBeforeDoesNotPassForAnEcho() {
    up();
    bring(PAGE);
    // The second read brings nothing, and is reported as done.
    echo.completed();
    echo.look(SECOND);
    var failed = assertInstanceOf(Outcome.Corrupt.class, answers.getFirst());
    assertTrue(failed.text().contains("other bytes"), failed.text());
    assertEquals(1, retired.size());
  }

  @Test
  void oneWrongByteIsNoEcho() {
    up();
    bring(new byte[] {1, 2, 3, 4, 5, 6, 7, 9});
    assertInstanceOf(Outcome.Corrupt.class, answers.getFirst());
    assertEquals(1, posted.size());
  }

  @Test
  void aChannelWithoutRoomIsWaitedFor() {
    room = 0;
    up();
    assertEquals(0, posted.size());
    room = 1;
    echo.look(2 * SECOND);
    assertEquals(1, posted.size());
  }

  @Test
  void anEchoThatDoesNotComeInTimeIsNoneAndItsMemoryIsKept() {
    up();
    assertEquals(10 * SECOND, echo.nextLook());
    echo.look(10 * SECOND);
    assertInstanceOf(Outcome.NoAnswer.class, answers.getFirst());
    assertEquals(List.of(RetireReason.EVICTED), retired);
    assertFalse(echo.over());
    assertFalse(released, "the read may still land there");
    echo.failed(fault(Fault.Blame.NEUTRAL, FailureCode.CONNECTION));
    echo.channelDown(fault(Fault.Blame.NEUTRAL, FailureCode.CONNECTION));
    echo.look(11 * SECOND);
    assertTrue(echo.over());
    assertEquals(1, answers.size());
  }

  @Test
  void aTransportThatDoesNotAnswerEndsIt() {
    echo.look(11 * SECOND);
    assertInstanceOf(Outcome.Failed.class, answers.getFirst());
    assertTrue(echo.over());
  }

  @Test
  void aPeerThatIsAnotherProcessSaysNothingOfTheRail() {
    echo.connectFailed(fault(Fault.Blame.REMOTE, FailureCode.STALE_GENERATION));
    echo.look(SECOND);
    assertInstanceOf(Outcome.Stranger.class, answers.getFirst());
    assertTrue(echo.over());
  }

  @ParameterizedTest
  @EnumSource(names = {"REMOTE_RANGE", "REMOTE_ACCESS"})
  void aPageThatIsNotThereUnderThatKeySaysNothingOfTheRail(FailureCode code) {
    up();
    echo.failed(fault(Fault.Blame.REMOTE, code));
    echo.look(SECOND);
    assertInstanceOf(Outcome.Stranger.class, answers.getFirst());
  }

  @Test
  void aPeerThatIsSilentIsToldApartFromOneThatRefuses() {
    echo.connectFailed(fault(Fault.Blame.NEUTRAL, FailureCode.UNREACHABLE));
    echo.look(SECOND);
    assertInstanceOf(Outcome.NoAnswer.class, answers.getFirst());
    assertTrue(echo.over());
  }

  @Test
  void aPathThatCannotBeHadDoes() {
    echo.connectFailed(fault(Fault.Blame.REMOTE, FailureCode.HANDSHAKE));
    echo.look(SECOND);
    assertInstanceOf(Outcome.Failed.class, answers.getFirst());
  }

  @Test
  void aReadThatFailsEndsIt() {
    up();
    echo.failed(fault(Fault.Blame.LOCAL, FailureCode.DEVICE));
    echo.look(SECOND);
    assertInstanceOf(Outcome.Failed.class, answers.getFirst());
    assertEquals(1, retired.size());
  }
}
