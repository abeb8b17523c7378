/**
 * Races of real threads, which the simulator has none of: small rounds, many times, each begun by
 * all threads at once. A seed is printed; it fixes what the threads do, not how they interleave.
 */
package dev.shunt.runtime.stress;
