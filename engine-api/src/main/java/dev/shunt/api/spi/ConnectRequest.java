package dev.shunt.api.spi;

/**
 * Asks for a channel.
 *
 * @param id names the attempt; told to the remote, which answers a mismatch of generations
 * @param remote to whom
 * @param local by which rail of ours
 * @param remoteRail to which rail of the remote
 * @param lane the number of the lane that will own the channel
 * @param deadline in nanoseconds of {@link TransportContext#now()}
 */
public record ConnectRequest(
    LinkId id, Remote remote, Rail local, RemoteRail remoteRail, int lane, long deadline) {}
