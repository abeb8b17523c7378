package dev.shunt.transport.rdma.wire;

/**
 * What Shunt nodes add to a handshake.
 *
 * @param generation of the node that asks
 * @param peerGeneration of the node that is asked
 * @param attempt which of the asker's links
 * @param mtu bytes that the sender's port takes
 * @param close whether the link has ended
 * @param code in a refusal, the name of a failure code, or of a {@link dev.shunt.api.spi.Refusal}
 *     where the request asked for that; otherwise empty
 * @param errors in a request, whether a refusal may name a {@link dev.shunt.api.spi.Refusal}
 */
public record BootstrapExtension(
    long generation,
    long peerGeneration,
    long attempt,
    int mtu,
    boolean close,
    String code,
    boolean errors) {
  /** One that asks for nothing more. */
  public BootstrapExtension(
      long generation, long peerGeneration, long attempt, int mtu, boolean close, String code) {
    this(generation, peerGeneration, attempt, mtu, close, code, false);
  }
}
