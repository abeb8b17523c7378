/**
 * Verbs in plain Java types: one family of interfaces, {@link
 * dev.shunt.transport.rdma.verbs.Verbs}, and one implementation of it over libibverbs by the
 * foreign function interface.
 *
 * <p>This is the transport's lowest seam. What is above it runs on a software fabric in tests. The
 * names are those of verbs: PD, MR, CQ, QP, GID. Nothing here decides anything. The protection
 * domain has no type of its own: there is one for each opened device.
 *
 * <h2>What may be missing</h2>
 *
 * <p>The library is looked for when it is first needed, and what it lacks is a {@link
 * dev.shunt.transport.rdma.verbs.VerbsUnavailableException} with the remedy, each time. The
 * functions of the data path have no symbols: the header goes through the operation table of the
 * context, and so does this. Before a device is used its table is looked at, that there is code
 * where code is to be; and what the library made is, that it begins with what it was made of. A
 * library that is laid out otherwise is refused by that, where calling it would end the process. A
 * test compares all of {@code Layouts} with the compiler's view of the header.
 *
 * <h2>Threads</h2>
 *
 * <p>Control calls (opening, registering, making and modifying QPs) belong to the transport's
 * supervisor; they enter the kernel and may take a millisecond. Posting to a QP and polling a CQ
 * belong to the one lane that owns them, allocate nothing and do not block. {@code DataPathTest}
 * measures them against the same in C, over an operation table that completes at once: about 15 ns
 * more for a request that goes alone, about 3 ns more in batches of 16.
 */
package dev.shunt.transport.rdma.verbs;
