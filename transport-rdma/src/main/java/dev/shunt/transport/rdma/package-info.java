/**
 * The RDMA transport: WRITE and READ over verbs. Only this module comes in here; the runtime sees
 * the provider. It provides nothing yet.
 */
package dev.shunt.transport.rdma;
