package dev.shunt.transport.nof.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import org.junit.jupiter.api.Test;

class NvmeStatusTest {
  private static void write(int status, Blame blame, FailureCode code, Effect effect) {
    var fault = NvmeStatus.ofTransfer(status, true, "q");
    assertEquals(blame, fault.blame(), fault::toString);
    assertEquals(code, fault.code(), fault::toString);
    assertEquals(effect, fault.effect(), fault::toString);
    assertEquals(Effect.NONE, NvmeStatus.ofTransfer(status, false, "q").effect());
  }

  @Test
  void aRequestThatNoPathWouldTakeChargesNoPathAndHasNoEffect() {
    write(0x80, Blame.REQUEST, FailureCode.REMOTE_RANGE, Effect.NONE);
    write(0x4080, Blame.REQUEST, FailureCode.REMOTE_RANGE, Effect.NONE);
    write(0x0b, Blame.REQUEST, FailureCode.UNKNOWN_SEGMENT, Effect.NONE);
    write(0x20, Blame.REQUEST, FailureCode.REMOTE_ACCESS, Effect.NONE);
    write(0x83, Blame.REQUEST, FailureCode.REMOTE_ACCESS, Effect.NONE);
    write(0x182, Blame.REQUEST, FailureCode.REMOTE_ACCESS, Effect.NONE);
    write(0x286, Blame.REQUEST, FailureCode.REMOTE_ACCESS, Effect.NONE);
    write(0x02, Blame.REQUEST, FailureCode.UNSUPPORTED, Effect.NONE);
  }

  @Test
  void anAbortedWriteMayStillBeApplied() {
    write(0x08, Blame.NEUTRAL, FailureCode.CONNECTION, Effect.POSSIBLE);
    write(0x07, Blame.NEUTRAL, FailureCode.CONNECTION, Effect.POSSIBLE);
  }

  @Test
  void aTargetThatFailsLeavesAWriteUnclear() {
    write(0x06, Blame.REMOTE, FailureCode.REMOTE_DEVICE, Effect.POSSIBLE);
    write(0x280, Blame.REMOTE, FailureCode.REMOTE_DEVICE, Effect.POSSIBLE);
    write(0x22, Blame.REMOTE, FailureCode.CHECKSUM, Effect.POSSIBLE);
    write(0x371, Blame.REMOTE, FailureCode.REMOTE_DEVICE, Effect.POSSIBLE);
    write(0x7ff, Blame.REMOTE, FailureCode.REMOTE_DEVICE, Effect.POSSIBLE);
  }

  @Test
  void anInaccessiblePathDidNothing() {
    write(0x302, Blame.REMOTE, FailureCode.CONNECTION, Effect.NONE);
    write(0x82, Blame.REMOTE, FailureCode.CONNECTION, Effect.NONE);
  }

  @Test
  void aRefusedConnectSaysWhy() {
    assertEquals(FailureCode.UNKNOWN_SEGMENT, NvmeStatus.ofConnect(0x4182, "c").code());
    assertEquals(FailureCode.REMOTE_ACCESS, NvmeStatus.ofConnect(0x4184, "c").code());
    assertEquals(FailureCode.CONNECTION, NvmeStatus.ofConnect(0x181, "c").code());
    assertEquals(FailureCode.UNSUPPORTED, NvmeStatus.ofConnect(0x180, "c").code());
    assertEquals(0x182, NvmeStatus.ofConnect(0x4182, "c").vendorCode());
  }

  @Test
  void onlyZeroIsGood() {
    assertTrue(NvmeStatus.good(0));
    assertTrue(NvmeStatus.good(0x4000), "the advice not to retry is no error");
    assertFalse(NvmeStatus.good(1));
    assertFalse(NvmeStatus.good(0x100));
  }
}
