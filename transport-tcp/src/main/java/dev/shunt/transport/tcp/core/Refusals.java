package dev.shunt.transport.tcp.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.Slice;

/** Between the reasons for which a single request is refused, and their numbers on the wire. */
final class Refusals {
  private Refusals() {}

  static int status(Regions.Refusal refusal) {
    return switch (refusal) {
      case NONE -> Frame.OK;
      case RANGE -> Frame.RANGE;
      case ACCESS -> Frame.ACCESS;
      case KEY -> Frame.KEY;
    };
  }

  /**
   * What became of a slice whose payload did not arrive as it was sent. A write was applied as it
   * came: it has an effect, though not the right one, and must be redone. A read may have changed
   * local memory, and nothing else.
   */
  static Fault damaged(Slice slice, String where, long times) {
    return new Fault(
        Fault.Blame.REMOTE,
        FailureCode.CHECKSUM,
        slice.write() ? Fault.Effect.POSSIBLE : Fault.Effect.NONE,
        (slice.write() ? "a write of " : "a read of ")
            + slice.length()
            + " bytes was damaged on its way: "
            + where
            + " (time "
            + times
            + " on this stream)",
        Frame.DAMAGED);
  }

  static Fault tooLong(Slice slice, long longest) {
    return new Fault(
        Fault.Blame.REQUEST,
        FailureCode.UNSUPPORTED,
        Fault.Effect.NONE,
        "a slice of "
            + slice.length()
            + " bytes; the two nodes agreed on "
            + longest
            + " at most (max-slice)");
  }

  static Fault fault(Slice slice, int status) {
    var range = "[0x" + Long.toHexString(slice.remoteAddress()) + ", +" + slice.length() + ")";
    var text =
        switch (status) {
          case Frame.RANGE -> "the remote has no memory registered at " + range;
          case Frame.ACCESS ->
              "the remote does not allow a " + (slice.write() ? "write" : "read") + " at " + range;
          case Frame.KEY ->
              "the remote's memory at " + range + " was registered anew; open the segment again";
          default -> "the remote refused " + range + " with the unknown status " + status;
        };
    var code = status == Frame.ACCESS ? FailureCode.REMOTE_ACCESS : FailureCode.REMOTE_RANGE;
    return new Fault(Fault.Blame.REQUEST, code, Fault.Effect.NONE, text, status);
  }
}
