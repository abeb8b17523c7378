/** Byte streams over {@code java.nio}: the runtime's {@link dev.shunt.api.spi.WireLoop}. */
package dev.shunt.runtime.wire;
