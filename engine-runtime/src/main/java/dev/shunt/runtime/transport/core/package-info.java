/** What decides about our own rails where no policy does: without thread, clock or socket. */
package dev.shunt.runtime.transport.core;
