package org.example.shunt.unix;

import dev.shunt.api.spi.RegionKey;

/** The registration's own id serves as the key: nothing below us has keys. */
record UnixKey(long remoteKey) implements RegionKey {}
