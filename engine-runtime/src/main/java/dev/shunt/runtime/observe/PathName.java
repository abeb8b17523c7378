package dev.shunt.runtime.observe;

/**
 * A path as people read it.
 *
 * @param transport the transport's id
 * @param peer the remote's name
 * @param localRail our rail's name
 * @param remoteRail the remote's rail's name
 */
public record PathName(String transport, String peer, String localRail, String remoteRail) {}
