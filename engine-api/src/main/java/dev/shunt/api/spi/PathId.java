package dev.shunt.api.spi;

/**
 * A local rail paired with a remote rail, for one remote of one generation.
 *
 * @param remote the remote's name
 * @param generation its generation, or 0
 * @param localRail the local rail's index
 * @param remoteRail the remote rail's index
 */
public record PathId(String remote, long generation, int localRail, int remoteRail) {}
