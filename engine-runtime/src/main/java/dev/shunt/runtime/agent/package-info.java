/**
 * Agents: the engine's duties, each with a thread of its own in production and a turn in a
 * simulator. Everything with a thread in this module is an {@link dev.shunt.runtime.agent.Agent}; a
 * {@link dev.shunt.runtime.agent.Platform} gives it time, sockets and the thread.
 */
package dev.shunt.runtime.agent;
