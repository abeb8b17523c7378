/**
 * The TCP transport: pipelined, acknowledged streams straight from and into registered memory, over
 * several rails. Only this module comes in here; the runtime sees the provider. What acts lives
 * here; what decides, and the specification of the wire, in {@link dev.shunt.transport.tcp.core}.
 *
 * <p>Each lane has a loop of streams of its own. A rail's listener lives on one lane, and so do the
 * streams that it accepts; a channel lives on the lane that was asked for. A fence is told to every
 * lane that serves: each of them drops the stale stream if it has it, and refuses the link from
 * then on. Only the stream that brought the fence waits for that.
 */
package dev.shunt.transport.tcp;
