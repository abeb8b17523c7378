/**
 * A software fabric behind the transport's seam, {@link dev.shunt.transport.rdma.verbs.Verbs}, in
 * the virtual world of {@link dev.shunt.api.sim}: NICs with ports, GIDs and events, and reliable
 * connected QPs whose packets take time and can be lost, delayed, held, doubled and damaged.
 *
 * <p>Reliable connection is kept as the hardware keeps it: packets are numbered, a receiver takes
 * them in order only, what is lost or damaged is sent again until the retries are used up, a copy
 * changes nothing. So faults below it show above as time, or as RETRY_EXC_ERR, never as wrong
 * bytes; and a packet that the network held lands after its sender has given up, for as long as the
 * receiving QP lives.
 *
 * <p>A NIC works on while its process is frozen, and forgets a process that died. Everything runs
 * on the thread that runs the world.
 */
package dev.shunt.transport.rdma.testing;
