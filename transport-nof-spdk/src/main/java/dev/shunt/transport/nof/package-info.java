/**
 * The NVMe over Fabrics transport: SPDK by the foreign function interface, and a plain NVMe/TCP
 * initiator. Only this module comes in here; the runtime sees the provider. It provides nothing
 * yet.
 */
package dev.shunt.transport.nof;
