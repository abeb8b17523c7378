/**
 * Batches as callers see them, and the lanes that carry their parts. What is decided is decided in
 * {@code dev.shunt.runtime.transfer.core}; here are the threads, mailboxes and signals around it.
 */
package dev.shunt.runtime.transfer;
