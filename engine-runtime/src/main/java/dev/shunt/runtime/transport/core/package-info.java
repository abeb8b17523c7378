/**
 * What decides about our own rails: where no policy does, and whom to ask whether one works again.
 * Without thread, clock or socket.
 */
package dev.shunt.runtime.transport.core;
