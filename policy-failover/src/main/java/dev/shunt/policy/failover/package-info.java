/**
 * What becomes of a slice that failed, and which paths rest. No thread, clock or I/O. Only this
 * module comes in here; the runtime sees the provider. Local rails do not recover by themselves
 * yet, and notifications are not sent again.
 */
package dev.shunt.policy.failover;
