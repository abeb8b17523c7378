/**
 * Batches as callers see them, and the lanes that carry their parts. What is decided is decided in
 * {@code dev.shunt.runtime.transfer.core}; here are the threads, mailboxes and signals around it.
 *
 * <p>A {@link dev.shunt.runtime.transfer.Lane} has its turns: of its own thread, or of a caller
 * that finds it at rest, if the transport allows that ({@link
 * dev.shunt.api.spi.LaneDriver#postsWhileParked()}). The {@code Turnstile} lets one at a time
 * through, and who comes after another sees all that the other wrote. What a lane has (its flows,
 * the table of its channels, the core below, the deadlines of parts) is touched within a turn only,
 * and therefore without locks; what others than the one at its turn may touch (the inbox, the pool
 * of parts, the flags about parking, the counters) says so, and is made for it.
 */
package dev.shunt.runtime.transfer;
