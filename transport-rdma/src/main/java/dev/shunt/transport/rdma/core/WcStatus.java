package dev.shunt.transport.rdma.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;

/**
 * The statuses of a completion, each at its number, and which side it speaks against.
 *
 * <p>Local are those that our own device finds before or beside the wire: another rail of ours may
 * do. A flush is nobody's fault: the QP was in error already, and the status that put it there has
 * been told before. All others come from the peer, or from the lack of its answer. Only {@link
 * #REM_ACCESS_ERR} is the request's: the peer's memory is not there under that key, or not for that
 * operation, which no other path would change.
 *
 * <p>While our own rail is inactive any failure is local: see {@link #fault}. A device's own number
 * may tell more than the status does: see {@link VendorTable}.
 */
public enum WcStatus {
  /** Done. */
  SUCCESS(Blame.NEUTRAL, FailureCode.INTERNAL, "success"),
  /** Longer than the QP or the port takes. */
  LOC_LEN_ERR(Blame.LOCAL, FailureCode.DEVICE, "local length error"),
  /** The work request or the QP is inconsistent; also how some devices tell of a dead port. */
  LOC_QP_OP_ERR(Blame.LOCAL, FailureCode.DEVICE, "local QP operation error"),
  /** Of reliable datagrams, which are not used here. */
  LOC_EEC_OP_ERR(Blame.LOCAL, FailureCode.DEVICE, "local EE context operation error"),
  /** Our memory is not there under the local key. */
  LOC_PROT_ERR(Blame.LOCAL, FailureCode.DEVICE, "local protection error"),
  /** The QP was in error before this one was tried. */
  WR_FLUSH_ERR(Blame.NEUTRAL, FailureCode.CONNECTION, "flushed"),
  /** A memory window could not be bound. */
  MW_BIND_ERR(Blame.LOCAL, FailureCode.DEVICE, "memory window bind error"),
  /** The peer answered something that makes no sense. */
  BAD_RESP_ERR(Blame.REMOTE, FailureCode.PROTOCOL, "bad response"),
  /** Our memory does not allow what the peer's answer would do to it. */
  LOC_ACCESS_ERR(Blame.LOCAL, FailureCode.DEVICE, "local access error"),
  /** The peer's QP does not take such a request. */
  REM_INV_REQ_ERR(Blame.REMOTE, FailureCode.PROTOCOL, "invalid request, says the peer"),
  /** The peer's memory is not there under that key, or not for that operation. */
  REM_ACCESS_ERR(Blame.REQUEST, FailureCode.REMOTE_ACCESS, "access refused by the peer"),
  /** The peer could not carry it out. */
  REM_OP_ERR(Blame.REMOTE, FailureCode.CONNECTION, "operation failed at the peer"),
  /** The peer did not acknowledge, however often it was sent. */
  RETRY_EXC_ERR(Blame.REMOTE, FailureCode.UNREACHABLE, "no acknowledgement within all retries"),
  /** The peer had no receive posted, however often it was sent. */
  RNR_RETRY_EXC_ERR(Blame.REMOTE, FailureCode.CONNECTION, "receiver not ready in all retries"),
  /** Of reliable datagrams. */
  LOC_RDD_VIOL_ERR(Blame.LOCAL, FailureCode.DEVICE, "local RDD violation"),
  /** Of reliable datagrams. */
  REM_INV_RD_REQ_ERR(Blame.REMOTE, FailureCode.PROTOCOL, "invalid RD request, says the peer"),
  /** The peer gave it up. */
  REM_ABORT_ERR(Blame.REMOTE, FailureCode.CONNECTION, "aborted by the peer"),
  /** Of reliable datagrams. */
  INV_EECN_ERR(Blame.REMOTE, FailureCode.PROTOCOL, "invalid EE context number"),
  /** Of reliable datagrams. */
  INV_EEC_STATE_ERR(Blame.REMOTE, FailureCode.PROTOCOL, "invalid EE context state"),
  /** The link to the peer broke beyond repair. */
  FATAL_ERR(Blame.REMOTE, FailureCode.CONNECTION, "fatal error"),
  /** The peer did not answer a request in time. */
  RESP_TIMEOUT_ERR(Blame.REMOTE, FailureCode.UNREACHABLE, "response timed out"),
  /** The device cannot say. */
  GENERAL_ERR(Blame.REMOTE, FailureCode.CONNECTION, "general error"),
  /** Of tag matching, which is not used here. */
  TM_ERR(Blame.REMOTE, FailureCode.PROTOCOL, "tag matching error"),
  /** Of tag matching. */
  TM_RNDV_INCOMPLETE(Blame.REMOTE, FailureCode.PROTOCOL, "tag matching rendezvous incomplete");

  private static final WcStatus[] ALL = values();

  private final Blame blame;
  private final FailureCode code;
  private final String text;

  WcStatus(Blame blame, FailureCode code, String text) {
    this.blame = blame;
    this.code = code;
    this.text = text;
  }

  /**
   * The status of a number; one that the header does not have yet counts as {@link #GENERAL_ERR}.
   */
  public static WcStatus of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : GENERAL_ERR;
  }

  /** Which side it speaks against, on an active rail. */
  public Blame blame() {
    return blame;
  }

  /**
   * What became of a slice.
   *
   * @param number as the completion has it
   * @param vendor the device's own number
   * @param write whether it was a write: it may have been applied, whatever the status says, but
   *     for the peer's refusal, which comes before the first byte; where the peer takes memory back
   *     while a write comes in, its first packets are in what is not shared any more
   * @param where the path, for the text
   * @param railActive whether our rail is active; a failure on one that is not is the rail's
   * @param table what the device's own numbers mean
   */
  public static Fault fault(
      int number, int vendor, boolean write, String where, boolean railActive, VendorTable table) {
    var status = of(number);
    var effect = write && status != REM_ACCESS_ERR ? Effect.POSSIBLE : Effect.NONE;
    var blame = railActive ? table.blame(status, vendor) : Blame.LOCAL;
    var code = blame == status.blame ? status.code : code(blame);
    var text =
        where
            + ": "
            + status.text
            + " (status "
            + number
            + ", vendor error 0x"
            + Integer.toHexString(vendor)
            + (railActive ? ")" : "), our rail being inactive");
    return new Fault(blame, code, effect, text, Integer.toUnsignedLong(vendor));
  }

  /** The code of a failure whose side is another than its status has. */
  private static FailureCode code(Blame blame) {
    return switch (blame) {
      case LOCAL -> FailureCode.DEVICE;
      case REMOTE, NEUTRAL -> FailureCode.CONNECTION;
      case REQUEST -> FailureCode.REMOTE_ACCESS;
    };
  }
}
