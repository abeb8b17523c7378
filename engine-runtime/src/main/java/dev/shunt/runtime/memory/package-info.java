/** Registered memory: the table of buffers, what holds them, and arenas that wait for it. */
package dev.shunt.runtime.memory;
