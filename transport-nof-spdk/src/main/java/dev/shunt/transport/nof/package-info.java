/**
 * The NVMe over Fabrics transport, with a plain NVMe/TCP initiator. Only this module comes in here;
 * the runtime sees the provider.
 *
 * <p>A target is named as Mooncake names its segments of this kind: {@code traddr:IP trsvcid:PORT
 * subnqn:NQN trtype:TCP adrfam:IPv4 ns:NSID}. One {@link dev.shunt.transport.nof.NofController} for
 * each local rail, portal and subsystem lives on the supervisor thread, with its admin queue and
 * its keep-alive; each channel is an I/O qpair with a connection of its own on a lane. What decides
 * is in the {@code core} package; here is what acts.
 *
 * <p>Header and data digests are CRC-32C. TLS, in-band authentication and discovery are not spoken.
 */
package dev.shunt.transport.nof;
