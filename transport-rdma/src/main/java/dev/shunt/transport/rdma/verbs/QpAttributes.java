package dev.shunt.transport.rdma.verbs;

/**
 * What our side of a connection is made with.
 *
 * @param port our port, from 1
 * @param gidIndex the entry of our GID table to send from
 * @param access what the peer may do, as a sum of ACCESS constants of {@link Verbs}
 * @param pkeyIndex the partition key's index
 * @param hopLimit of routed packets
 * @param flowLabel of routed packets
 * @param trafficClass of routed packets
 * @param serviceLevel of packets
 * @param receivePsn the first packet number to expect
 * @param sendPsn the first packet number to send
 * @param maxInboundReads how many reads of the peer are served at once
 * @param maxOutboundReads how many reads of ours may be under way at once
 * @param minRnrTimer how long a peer waits when it finds no receive posted, as the field's code
 * @param timeout how long to wait for an acknowledgement, as the exponent of 4.096 µs
 * @param retryCount how often to send again after that
 * @param rnrRetry how often to send again where no receive was posted
 */
public record QpAttributes(
    int port,
    int gidIndex,
    int access,
    int pkeyIndex,
    int hopLimit,
    int flowLabel,
    int trafficClass,
    int serviceLevel,
    int receivePsn,
    int sendPsn,
    int maxInboundReads,
    int maxOutboundReads,
    int minRnrTimer,
    int timeout,
    int retryCount,
    int rnrRetry) {}
