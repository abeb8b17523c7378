/**
 * What decides on a lane: how requests are cut, which path a slice takes, what is in flight, and
 * when requests end. Machines on primitives, called by one thread at a time, whoever has the lane's
 * turn: the time goes in as an argument, effects go out through {@link
 * dev.shunt.runtime.transfer.core.FlowPort} and {@link dev.shunt.runtime.transfer.core.BatchSink}.
 * {@code dev.shunt.runtime.transfer} gives them threads.
 */
package dev.shunt.runtime.transfer.core;
