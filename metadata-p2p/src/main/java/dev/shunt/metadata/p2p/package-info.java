/**
 * Descriptors of nodes, asked of the nodes themselves: a node's name is the address of its control
 * plane. Only this module comes in here; the runtime sees the provider.
 */
package dev.shunt.metadata.p2p;
