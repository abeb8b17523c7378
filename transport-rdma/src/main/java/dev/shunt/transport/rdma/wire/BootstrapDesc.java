package dev.shunt.transport.rdma.wire;

import java.util.List;
import java.util.Optional;

/**
 * One side of a handshake.
 *
 * @param localNicPath the sender's node and NIC
 * @param peerNicPath the receiver's
 * @param qpNumbers the sender's data QPs; both sides have equally many, which pair by their place
 * @param localLid the sender's port
 * @param localGid the sender's port
 * @param replyMessage empty, or why this is a refusal
 * @param notifyQpNumber the sender's QP for notifications, 0 for none
 * @param extension what Shunt nodes tell each other
 */
public record BootstrapDesc(
    String localNicPath,
    String peerNicPath,
    List<Integer> qpNumbers,
    int localLid,
    String localGid,
    String replyMessage,
    int notifyQpNumber,
    Optional<BootstrapExtension> extension) {
  /** Copies the list. */
  public BootstrapDesc {
    qpNumbers = List.copyOf(qpNumbers);
  }

  /** Whether it says no. */
  public boolean refused() {
    return !replyMessage.isEmpty();
  }
}
