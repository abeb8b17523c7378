/**
 * Descriptors of nodes, asked of the nodes themselves. Only this module comes in here; the runtime
 * sees the provider. It provides nothing yet.
 */
package dev.shunt.metadata.p2p;
