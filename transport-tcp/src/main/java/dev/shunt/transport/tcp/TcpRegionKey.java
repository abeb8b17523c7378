package dev.shunt.transport.tcp;

import dev.shunt.api.spi.RegionKey;

/**
 * A registration as every rail knows it.
 *
 * @param remoteKey the region's id: a remote shows it, and the runtime compares it
 */
record TcpRegionKey(long remoteKey) implements RegionKey {}
