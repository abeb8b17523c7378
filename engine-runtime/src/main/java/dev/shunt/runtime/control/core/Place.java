package dev.shunt.runtime.control.core;

import java.nio.ByteBuffer;

/**
 * Where a connection comes from, as far as one owner has it to himself: an address of IPv4, or the
 * 64 leading bits of one of IPv6, of which any machine has as many as it likes.
 *
 * @param bits of the address
 * @param six whether it is IPv6
 */
public record Place(long bits, boolean six) {
  /** Of an address in the order of the network: 4 bytes, or 16. */
  public static Place of(byte[] address) {
    var bytes = ByteBuffer.wrap(address);
    return bytes.remaining() == Integer.BYTES
        ? new Place(Integer.toUnsignedLong(bytes.getInt()), false)
        : new Place(bytes.getLong(), true);
  }
}
