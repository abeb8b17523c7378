/**
 * A virtual world for deterministic tests: time, scheduling, randomness and a network that a test
 * owns, so that a seed replays the same run in any JVM.
 *
 * <p>A {@link dev.shunt.api.sim.World} has a clock that jumps from event to event, and runs {@link
 * dev.shunt.api.sim.Actor}s in turns, in an order that the seed decides. Actors belong to a {@link
 * dev.shunt.api.sim.SimProcess}, which can be frozen, thawed and killed. A {@link
 * dev.shunt.api.sim.SimNetwork} lends such a process byte streams ({@link dev.shunt.api.spi.Wires})
 * between hosts with several addresses, with latency, bandwidth, partial reads and writes, small
 * socket buffers, and faults by call ({@link dev.shunt.api.sim.SimPath}).
 *
 * <p>Everything runs on the one thread that calls {@link dev.shunt.api.sim.World#run}. What is
 * built on it must draw its randomness from {@link dev.shunt.api.sim.World#dice} and its time from
 * {@link dev.shunt.api.sim.World#now}, and must not iterate over hashed collections; then {@link
 * dev.shunt.api.sim.Trace#hash} is the same for the same seed.
 *
 * <p>For tests of every module, and of plug-ins of third parties: published in the test jar.
 */
package dev.shunt.api.sim;
