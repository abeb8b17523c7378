package dev.shunt.transport.rdma.verbs;

/**
 * What a device can take.
 *
 * @param ports how many ports it has
 * @param maxQps QPs
 * @param maxWorkRequests work requests of a QP
 * @param maxCompletions completions of a queue
 * @param maxReads reads under way on a QP
 * @param vendor the IEEE number of its vendor
 */
public record DeviceInfo(
    int ports, int maxQps, int maxWorkRequests, int maxCompletions, int maxReads, int vendor) {}
