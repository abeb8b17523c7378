/**
 * What this machine's interfaces and addresses are, and when that changes: the kernel's own
 * messages (rtnetlink) where native calls are allowed, and otherwise a look from time to time. Only
 * the transport comes in here, and tests that put another {@link
 * dev.shunt.transport.tcp.links.LinkSource} in place of the system's.
 */
package dev.shunt.transport.tcp.links;
