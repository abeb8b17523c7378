package dev.shunt.transport.rdma.wire;

/**
 * What Shunt nodes add to a handshake.
 *
 * @param generation of the node that asks
 * @param peerGeneration of the node that is asked
 * @param attempt which of the asker's links
 * @param mtu bytes that the sender's port takes
 * @param close whether the link has ended
 * @param code in a refusal, the name of a failure code; otherwise empty
 */
public record BootstrapExtension(
    long generation, long peerGeneration, long attempt, int mtu, boolean close, String code) {}
