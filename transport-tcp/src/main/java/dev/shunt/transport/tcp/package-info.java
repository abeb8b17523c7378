/**
 * The TCP transport: pipelined, acknowledged streams straight from and into registered memory, over
 * several rails. Only this module comes in here; the runtime sees the provider. What acts lives
 * here; what decides, and the specification of the wire, in {@link dev.shunt.transport.tcp.core}.
 *
 * <p>Each lane has a loop of streams of its own. A rail's listener lives on one lane, and so do the
 * streams that it accepts; a channel lives on the lane that was asked for, with all streams of its
 * link. A fence is told to every lane that serves: each of them drops the stale link's streams if
 * it has some, and refuses the link from then on. Only the stream that brought the fence waits for
 * that. A channel of several streams sends a fence on each of them, so that it is ahead of the redo
 * whichever stream carries that; when one of them breaks, all end.
 *
 * <p>Bytes are not copied on their way, but for small payloads and the heads of large ones, which
 * go out with their headers. Requests that follow one another in memory become one frame; answers
 * to a run are one frame. Each stream has a turn of so many bytes, at both ends, so that the others
 * of its lane wait for no more than that.
 *
 * <p>Where both nodes agreed on {@code tcp.crc32c}, each payload is checked where it lands, before
 * its slice is reported. One that was damaged fails its slice with {@link
 * dev.shunt.api.FailureCode#CHECKSUM}, blames the remote side and the way to it, and is redone like
 * any other failure; a write's bytes have reached the destination by then, wrong as they are, so
 * its effect is possible and its range undefined until the redo is there.
 *
 * <p>A stream that is idle asks for a sign of life from time to time, so that one which was cut
 * silently is noticed, at this end by the answer that does not come, at the other by the silence.
 * That needs version 2 of {@code tcp.stream} on both sides. One that carries something is watched
 * by the runtime ({@code stall-limit}) and, at the passive end, by {@code
 * inbound-progress-timeout}.
 *
 * <p>A rail is inactive while the interface that holds its address is down or without a carrier, or
 * while no interface holds it ({@link dev.shunt.transport.tcp.links}); what it carried, either way,
 * ends at once, and nothing is dialed from it. A rail whose address was never seen on an interface
 * is not watched. Sockets stay bound to an address that is gone for a while; whether the listener
 * works is part of the check of a rail that comes back: a stream from the rail to itself asks for a
 * link that is refused as fenced, and the refusal proves whose listener that is. It is made anew
 * where that fails. An address with a zone (of a link, in v6) is bound to the interface of that
 * number: where the interface itself was made anew, the node has to be restarted.
 *
 * <p>What a failure is taken for: a connection that is not there within {@code connect-timeout} is
 * a path that does not carry ({@link dev.shunt.api.FailureCode#HANDSHAKE}), and so is one that is
 * cut before its preamble was answered. One that is there, while the preamble is not answered
 * within {@code handshake-timeout}, is a process that stands still, as is one that gives no sign of
 * life: nobody's fault, and no news of the path ({@link dev.shunt.api.FailureCode#UNREACHABLE}). A
 * refusal is an answer of the remote's ({@link dev.shunt.api.FailureCode#CONNECTION}).
 */
package dev.shunt.transport.tcp;
