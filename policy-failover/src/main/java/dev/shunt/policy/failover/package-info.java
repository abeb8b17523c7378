/**
 * What becomes of a slice that failed, which paths rest, which of our rails are used, and which
 * peers are not called. No thread, clock or I/O. Only this module comes in here; the runtime sees
 * the provider. Notifications are not sent again yet.
 */
package dev.shunt.policy.failover;
