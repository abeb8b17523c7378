package dev.shunt.transport.rdma.verbs;

/**
 * A reliable connected QP. The posting methods belong to one lane; the others to the supervisor, or
 * to the lane when it closes: these exclude one another, and do nothing once it is closed. Control
 * methods return 0 or an error number.
 */
public interface VerbsQp {
  /** An RDMA WRITE: {@code enum ibv_wr_opcode}. */
  int WRITE = 0;

  /** A SEND, into a receive that the peer has posted; it has no remote address and no key. */
  int SEND = 2;

  /** An RDMA READ. */
  int READ = 4;

  /** Its number, which the peer must know. */
  int number();

  /** From RESET to INIT. */
  int init(QpAttributes attributes);

  /** From INIT to RTR: it then receives from one peer. */
  int readyToReceive(QpAttributes attributes, QpPeer peer);

  /** From RTR to RTS: it then sends. */
  int readyToSend(QpAttributes attributes);

  /** From any state to ERR: what is posted is flushed, and nothing is received any more. */
  int error();

  /**
   * Posts a signalled work request with one local range.
   *
   * @return 0, or the error number: nothing was posted then
   */
  int post(
      long wrId, int opcode, long localAddress, int lkey, int length, long remoteAddress, int rkey);

  /**
   * Posts all of a batch, in its order. Where one is refused, those before it are posted, and none
   * behind it: {@link WorkBatch#posted} tells.
   *
   * @return 0, or the error number of the one that was refused
   */
  default int post(WorkBatch batch) {
    return batch.postEach(this);
  }

  /**
   * Posts a signalled work request that moves nothing: a WRITE of no bytes, which the peer's device
   * acknowledges for as long as the peer's QP lives.
   *
   * @return 0, or the error number
   */
  int probe(long wrId);

  /**
   * Posts a receive: the next message of the peer goes there. From INIT on; in ERR it comes back
   * flushed.
   *
   * @return 0, or the error number
   */
  int postReceive(long wrId, long localAddress, int lkey, int length);

  /**
   * Destroys it: once this returned 0 the device touches no memory for it.
   *
   * @return 0, or the error number; it then still exists
   */
  int close();
}
