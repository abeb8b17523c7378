/**
 * Descriptors of nodes, kept in etcd. Only this module comes in here; the runtime sees the
 * provider. It provides nothing yet.
 */
package dev.shunt.metadata.etcd;
