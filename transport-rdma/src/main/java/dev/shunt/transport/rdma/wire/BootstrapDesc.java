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
 * @param notifyProtocol the highest protocol of notifications that the sender takes; 0, raw ones,
 *     where it says nothing
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
    int notifyProtocol,
    Optional<BootstrapExtension> extension) {
  /** Copies the list. */
  public BootstrapDesc {
    qpNumbers = List.copyOf(qpNumbers);
  }

  /** One that takes raw notifications at most. */
  public BootstrapDesc(
      String localNicPath,
      String peerNicPath,
      List<Integer> qpNumbers,
      int localLid,
      String localGid,
      String replyMessage,
      int notifyQpNumber,
      Optional<BootstrapExtension> extension) {
    this(
        localNicPath,
        peerNicPath,
        qpNumbers,
        localLid,
        localGid,
        replyMessage,
        notifyQpNumber,
        0,
        extension);
  }

  /** Whether it says no. */
  public boolean refused() {
    return !replyMessage.isEmpty();
  }
}
