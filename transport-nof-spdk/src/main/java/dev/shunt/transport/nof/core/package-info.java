/**
 * The NVMe/TCP initiator as pure machines: bytes, events and the time go in; bytes and events come
 * out. There is no thread, clock, socket or random here. Only the package above comes in.
 *
 * <p>From the bottom: {@link dev.shunt.transport.nof.core.Pdu} and {@link
 * dev.shunt.transport.nof.core.Sqe} are layouts; {@link dev.shunt.transport.nof.core.Sender} and
 * {@link dev.shunt.transport.nof.core.Receiver} are the two directions of a stream; {@link
 * dev.shunt.transport.nof.core.Queue} is one qpair over such a stream; {@link
 * dev.shunt.transport.nof.core.Controller} brings a controller up over its admin queue and keeps it
 * alive.
 *
 * <p>Layouts follow the NVM Express TCP Transport and Base Specifications; all fields are little
 * endian.
 */
package dev.shunt.transport.nof.core;
