/**
 * The RDMA transport: WRITE and READ over verbs. Nobody comes in here but the runtime, by the
 * provider.
 *
 * <p>A rail is an active port of a device. A link is made by a handshake over the control plane
 * ({@link dev.shunt.transport.rdma.wire}), and has QPs of its own on both sides; only the side that
 * asked for it posts on them. The side that was asked does nothing but keep its QPs: its device
 * serves the requests by itself, and checks keys and ranges.
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
