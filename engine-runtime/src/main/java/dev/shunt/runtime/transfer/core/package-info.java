/**
 * What decides on a lane: how requests are cut, which path a slice takes, what is in flight, and
 * when requests end. Machines on primitives, called by one thread at a time, whoever has the lane's
 * turn: the time goes in as an argument, effects go out through {@link
 * dev.shunt.runtime.transfer.core.FlowPort} and {@link dev.shunt.runtime.transfer.core.BatchSink}.
 * {@code dev.shunt.runtime.transfer} gives them threads.
 *
 * <p><b>Which path.</b> Each slice has its own choice; no rail is chosen for a whole request, so
 * none is kept that went. Where the memory of a side is near to some of its rails ({@link
 * dev.shunt.runtime.transfer.core.RailOrder}) the preferred ones carry the traffic in turn, and the
 * others when none of those can be used. A slice that is tried again begins with the entry of that
 * list that Mooncake's engines take, attempt n with entry (n - 1), of those that are up.
 *
 * <p><b>The next transport.</b> Where the policy says so a request goes on elsewhere as a whole
 * ({@link dev.shunt.runtime.transfer.core.Moves}): nothing more of it is cut, what is posted is
 * waited for, and a write's old links are fenced by the peer's word, since no stream survives to
 * carry a fence, or waited out where there is no such word. Then the other lane has it, as a part
 * of the same batch with its deadline and its history; that it was sent before is not forgotten.
 * The bytes that were done are done again, and counted again.
 *
 * <p><b>What ended and may still land.</b> A write whose request ended (its deadline, a cancel, a
 * failure of another slice) while the end of an attempt of it is unknown settles only when the link
 * of that attempt is fenced, by word, or the grace has passed where there is no word ({@link
 * dev.shunt.runtime.transfer.core.LateWrites}). Its local memory is free as soon as its channel has
 * let go. Past the drain limit, when the engine closes, or where the transport knows no fence, it
 * is quarantined. Where fences are ordered a newer write goes behind those of what has ended, so
 * what completes by a stream stays though the old batch has not settled. That does not hold while
 * the old slice is still on a channel that has not been retired, nor where fences go by word: there
 * only {@code settled()} tells that a remote range is free for other data.
 *
 * <p><b>A rail of ours that went.</b> Its channels are retired in the lane's next turn, whatever
 * they held is a fault of ours, and nobody's path is charged.
 */
package dev.shunt.runtime.transfer.core;
