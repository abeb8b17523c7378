/**
 * A transport's place in the engine: what it is lent, its supervisor, its lanes, and the steward
 * that keeps the health of its paths.
 */
package dev.shunt.runtime.transport;
