/**
 * An NVMe/TCP target for tests: a namespace in memory behind {@link dev.shunt.api.spi.WireLoop}, so
 * that it stands in a virtual network as well as on loopback. It shares no code with the initiator,
 * is strict about what comes in, and misbehaves when told so ({@link
 * dev.shunt.transport.nof.testing.Rule}). It has no thread and no clock: whoever owns it calls
 * {@link dev.shunt.transport.nof.testing.SoftTarget#work}.
 */
package dev.shunt.transport.nof.testing;
