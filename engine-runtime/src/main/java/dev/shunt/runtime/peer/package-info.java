/**
 * Other nodes, and targets: how they are found and met, what was agreed with them, and the segments
 * that applications hold. All of it is kept by the steward's thread.
 *
 * <p>What a node's descriptor says of its memory is renewed while segments are open, and they tell
 * it at once: when the node sends NotifySegmentUpdated (to which we subscribe after each fetch, as
 * TENT does), when the metadata backend tells of a change, when a request asked for a range that
 * the descriptor lacks or that the node refused, and when {@code shunt.metadata.descriptor-ttl} has
 * passed. One fetch of a node's is under way at a time, at most ten a second, and none because a
 * call failed: that says nothing of the descriptor. Only where the metadata backend is central, so
 * that it may know of another address, a node that does not answer Hello is looked up once more,
 * and Hello said again only if the address is another. A request takes the keys that are known when
 * it is submitted; one that is refused ends, and the next has the new ones.
 *
 * <p>When a path to a node fails the node is asked whether it is still the process that was met.
 * One that is another one by now is stale: all that is known of it is dropped. One that says that
 * it closes ends what is under way to it, which then need not find out by itself that nobody is
 * there; its old attempts are fenced as ever, and what is asked for later is tried.
 *
 * <p>A plain TENT peer has generation 0 and is never stale: what listens at its address is gone on
 * with. One that becomes a Shunt node is met as such when it is opened again.
 */
package dev.shunt.runtime.peer;
