package dev.shunt.transport.rdma.verbs;

/**
 * How much a QP holds.
 *
 * @param send posted work requests, at most
 * @param receive posted receives, at most
 */
public record QpCapacity(int send, int receive) {}
