/**
 * The transport {@code tent}: data to peers that speak no more than Mooncake's TENT does, by
 * SendData and RecvData over their control plane. It belongs to the engine, since it is that
 * plane's framing that it speaks; to the rest it is a transport like any other. Only the engine
 * comes in here.
 *
 * <h2>When it is used</h2>
 *
 * <p>Towards a node whose descriptor lacks our key, or that answers Hello with nothing, it is all
 * there is. Towards a Shunt node it is the last resort, after every transport that both sides have
 * and have agreed to use ({@code shunt.transfer.prefer} may put it elsewhere). It reaches the
 * buffers that list TENT's transport 7; the access that a Shunt node tells besides is kept. A Shunt
 * node whose {@code control.extension} is off looks plain to others, and is reached in this way.
 *
 * <p>Nothing else is ever sent to a plain peer than what TENT would send: GetSegmentDesc,
 * SubscribeSegmentUpdate, SendData, RecvData, Notify and Probe.
 *
 * <h2>A connection</h2>
 *
 * <p>One to each way ({@code connections}), each a path of its own to the flow above, so that
 * failover, pauses and draining are those of any transport. On a new connection comes first
 * GetSegmentDesc; then SubscribeSegmentUpdate with this node's control address, as TENT does after
 * each fetch; then data. Each slice is held against the descriptor that came by its own connection,
 * and has to lie within one buffer of it: so nothing that was known of an old process reaches a new
 * one, although a plain peer does not tell them apart. A slice that the descriptor lacks has the
 * descriptor asked for once more, on the same connection, before it fails: with REMOTE_RANGE or
 * REMOTE_ACCESS, alone, and the path is not charged. Towards a Shunt node the descriptor has to be
 * of the generation that was met, else everything for it ends with STALE_GENERATION.
 *
 * <p>Of several connections to one address a slice takes the first that carries nothing, so that
 * one request at a time stays where it is warm, and several have a connection each. Callers post on
 * their own threads while the lane is at rest.
 *
 * <p>A piece of at most {@code slice-size} is one request; {@code depth} of them are under way at
 * once, and answers come in their order. Payload goes straight from and into registered memory.
 *
 * <h2>What is believed of an answer</h2>
 *
 * <p>A write is done when its answer is empty, a read when it has exactly the bytes that were asked
 * for; both forms of the empty result are taken, of release builds and of debug builds. Any other
 * text is a refusal, and so could be data of a few hundred bytes that reads as plain text: TENT
 * tells a refusal from data by nothing but its length (34 and 56 bytes, today). Then the descriptor
 * is fetched again and decides. A peer that lists a range and refuses it is tried again on another
 * connection, as TENT's own initiator does; where the text says that the address is not registered,
 * the write has changed nothing, and otherwise it may have.
 *
 * <p>An error of the framing, another sequence, another first byte, a result that is none, lengths
 * beyond measure (8 GiB can be announced), half a frame, an end or a reset: the connection is given
 * up, its reads are done anew elsewhere, and so are its writes, of which those with a byte of
 * payload on the wire may have been, or may still be, applied. An idle connection that ends is
 * nobody's fault; after {@code idle-timeout} this side closes it.
 *
 * <h2>What is not promised</h2>
 *
 * <p>Nobody can ask a plain peer to refuse an old attempt: a process that stood still applies what
 * its sockets hold when it runs again. A redone write is therefore COMPLETED only once {@code
 * shunt.failover.unfenced-grace} has passed since its old attempt ended, and counted; {@code
 * shunt.failover.unfenced = fail} ends it with UNKNOWN_EFFECT instead. A write that arrives later
 * than the grace changes the remote range all the same, and one that timed out may do so at any
 * time: {@link dev.shunt.api.Failure#remoteEffect()} tells.
 *
 * <p>There is no checksum. Requests are not merged.
 */
package dev.shunt.runtime.plain;
