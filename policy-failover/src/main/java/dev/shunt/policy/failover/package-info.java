/**
 * Decisions after a failure: retry, hand off, redispatch, pause, recover. No thread, clock or I/O.
 * Only this module comes in here; the runtime sees the provider. It provides nothing yet.
 */
package dev.shunt.policy.failover;
