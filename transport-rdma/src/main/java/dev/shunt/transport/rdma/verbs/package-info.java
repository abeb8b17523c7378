/**
 * Verbs in plain Java types: one family of interfaces, {@link
 * dev.shunt.transport.rdma.verbs.Verbs}, and one implementation of it over libibverbs by the
 * foreign function interface.
 *
 * <p>This is the transport's lowest seam. What is above it runs on a software fabric in tests. The
 * names are those of verbs: PD, MR, CQ, QP, GID. Nothing here decides anything. The protection
 * domain has no type of its own: there is one for each opened device.
 *
 * <h2>Threads</h2>
 *
 * <p>Control calls (opening, registering, making and modifying QPs) belong to the transport's
 * supervisor; they enter the kernel and may take a millisecond. Posting to a QP and polling a CQ
 * belong to the one lane that owns them, allocate nothing and do not block.
 */
package dev.shunt.transport.rdma.verbs;
