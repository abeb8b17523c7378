/**
 * The RDMA transport: WRITE and READ over verbs. Nobody comes in here but the runtime, by the
 * provider.
 *
 * <p>A rail is an active port of a device. A link is made by a handshake over the control plane
 * ({@link dev.shunt.transport.rdma.wire}), and has QPs of its own on both sides; only the side that
 * asked for it posts on them. The side that was asked does nothing but keep its QPs, and try now
 * and then whether the peer is still there ({@link dev.shunt.transport.rdma.PassiveProbes}): its
 * device serves the requests by itself, and checks keys and ranges.
 *
 * <h2>Who does what</h2>
 *
 * <ul>
 *   <li>The supervisor makes, modifies and destroys QPs, registers memory, and listens to
 *       asynchronous events. Its half of a connection is {@link dev.shunt.transport.rdma.Endpoint}.
 *       The step that connects a QP resolves addresses in the kernel and may block for seconds, so
 *       it runs as an attempt.
 *   <li>A lane posts and polls: {@link dev.shunt.transport.rdma.RdmaLane}, with a completion queue
 *       for each rail, and {@link dev.shunt.transport.rdma.RdmaChannel}.
 *   <li>What decides is in {@link dev.shunt.transport.rdma.core}; what calls verbs, below {@link
 *       dev.shunt.transport.rdma.verbs}.
 * </ul>
 *
 * <h2>Connections</h2>
 *
 * <p>A request becomes a {@link dev.shunt.transport.rdma.Handshake}, once {@link
 * dev.shunt.transport.rdma.Room} has a place for it: a rail has no more endpoints than its bound,
 * and the one that was idle for the longest makes room.
 *
 * <ul>
 *   <li>QPs are told of once. What failed before the first connection is destroyed at once, and
 *       another round has fresh ones: after an address that the device refused (two others are
 *       tried at most, and none twice), and with a plain peer, after it let go of an older
 *       connection, or told that it has another number of QPs. An answer that is not of the present
 *       round is dropped.
 *   <li>Where both nodes agreed on {@code rdma.ready_ack} the asker says when its QPs are
 *       connected, and posts only after the peer has confirmed; the peer gives up what is not said
 *       in time.
 *   <li>A connected endpoint ends through ERR: what was posted comes back flushed, and then its QPs
 *       are destroyed. What does not come back, or cannot be destroyed, is kept aside and counted;
 *       past a bound of those the rail is given up. Nothing is freed by force.
 *   <li>With a plain peer there is one connection for each pair of NICs, for both directions
 *       ({@link dev.shunt.transport.rdma.PlainMeeting}). Whoever asks while the other does is
 *       answered with the QPs that it was told of already. A connection that the peer asked for
 *       gives way to ours when we ask: the peer does again what it had under way.
 *   <li>A node's newer process takes the place of all that its older ones had asked for.
 * </ul>
 *
 * <h2>The data path</h2>
 *
 * <p>Nothing is allocated, and no lock is taken, for a slice. Its work request is written into a
 * {@link dev.shunt.transport.rdma.verbs.WorkBatch} of its channel; up to 16 of them go to one QP
 * with one call when the lane flushes, and the next ones to the next QP. A slice is taken only
 * where its QP has a free work request and the lane's completion queue on that rail has room for
 * what it will bring, so neither can overrun.
 *
 * <p>Every work request is signalled. Leaving that out for all but the last of a batch was weighed
 * and is not done: a completion costs some nanoseconds to read here, against microseconds that a
 * slice takes on a wire, while the memory of the first slices would stay lent, and their part of
 * the window taken, until the last one is through.
 *
 * <h2>Memory</h2>
 *
 * <p>{@link dev.shunt.transport.rdma.Registrations} makes one registration for each rail. The
 * runtime counts who uses the memory, and ends it when nobody does.
 *
 * <h2>Notifications</h2>
 *
 * <p>Each is one SEND on a QP that carries nothing else. Between Shunt nodes that QP is a link of
 * its own, made when somebody asks for a {@link dev.shunt.api.spi.NotifyPort}: the asker sends on
 * it, the peer receives; a node that never notified has no buffer for it. A TENT peer learns the
 * QP's number in the handshake of a data connection and never again, so there it is made with that
 * connection ({@link dev.shunt.transport.rdma.PlainNotify}), for both directions, with few
 * receives, and with slots to send from when something is sent. Slots are 64 KiB each, registered
 * in slabs, and double while they are busy, up to {@code notify.send-slots} and {@code
 * notify.receive-slots}.
 *
 * <ul>
 *   <li>{@link dev.shunt.transport.rdma.NotifyEndpoint} is the supervisor's half: QP, completion
 *       queue, slabs. {@link dev.shunt.transport.rdma.NotifyEnd} is the lane's: it sends, hands up,
 *       and says when it is over.
 *   <li>A QP that retires, for whatever reason and by whatever thread, goes to ERR and is destroyed
 *       when each of its receives has come back, with a message or flushed, and each message was
 *       taken: its sender was told that they arrived. What does not come back within {@code
 *       drain-timeout} is quarantined, like any endpoint. Flushes are nobody's fault, and not
 *       logged.
 *   <li>What was sent is reported within {@code notify.hand-over} of the end, flushed or not: the
 *       slots are ours, so a frame need not wait for the device.
 *   <li>Attributes are those of the data QPs, so both report a dead path after the same time; but a
 *       peer without a posted receive is waited for without end (rnr_retry 7). Who waits too long
 *       for a free slot hears of it at its slot deadline.
 *   <li>An inbox that is full takes nothing: the message keeps its slot, and the sender waits.
 * </ul>
 *
 * <p>A message that a device acknowledged is lost if the receiving process dies before it is read,
 * or if a foreign hand resets the QP: that cleans its completions away.
 *
 * <h2>Rails that are lost</h2>
 *
 * <p>A rail uses a <em>context</em>: the device as it was opened for it, with its queues,
 * registrations and QPs. What an asynchronous event asks for is in {@link
 * dev.shunt.transport.rdma.core.AsyncClass}: a lost link waits for its return; a broken queue, or
 * another local id, for time alone; a broken device, or more endpoints that do not drain than the
 * quarantine holds, for an operator.
 *
 * <p>Before it is used again a rail is checked: its port is active, its address is read anew, and a
 * write from the port to itself arrives. Where the rail erred its context is made anew first: what
 * used the old one ends, its QPs are destroyed, the lanes let go of its queues, it is closed, the
 * device is opened again, and all memory is registered with it. What was posted is reported when
 * its QP is destroyed, and not before; what a device does not let go of is kept aside, up to a
 * bound.
 *
 * <p>Keys have the number of the context in their upper half. So a peer that has not heard of the
 * new ones shows none to a device, which would break the connection over it, but reads the
 * descriptor again.
 *
 * <h2>What RDMA does differently</h2>
 *
 * <p>A request that the peer's device refuses ends the whole QP, on both sides. So one slice with a
 * wrong key takes its channel with it: it alone is the request's fault, its neighbours are flushed
 * without blame.
 *
 * <p>What was sent may land for as long as the peer's QP lives, whatever our own side knows.
 * Therefore a fence is the peer's word that its QP is gone.
 */
package dev.shunt.transport.rdma;
