/**
 * The smallest transport that keeps the whole contract: it copies bytes between the memories of
 * hosts in one virtual world. An example to read before writing a transport, and, with a {@link
 * dev.shunt.api.contract.memory.Flaw} planted, the proof that each test of the suite bites.
 */
package dev.shunt.api.contract.memory;
