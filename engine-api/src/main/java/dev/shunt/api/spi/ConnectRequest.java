package dev.shunt.api.spi;

/**
 * Asks for a channel.
 *
 * @param id names the attempt, and the link that comes of it: never given twice. Told to the remote
 *     where the wire can carry it, so that it can be fenced there
 * @param remote to whom
 * @param local by which rail of ours
 * @param remoteRail to which rail of the remote
 * @param lane the number of the lane that will own the channel
 * @param deadline in nanoseconds of {@link TransportContext#now()}
 */
public record ConnectRequest(
    LinkId id, Remote remote, Rail local, RemoteRail remoteRail, int lane, long deadline) {}
