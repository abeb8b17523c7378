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
 */
package dev.shunt.transport.tcp;
