/**
 * What plug-ins compile against: providers of transports, metadata backends and policies, what they
 * make, and what the runtime lends them.
 *
 * <h2>Writing a transport</h2>
 *
 * <p>A module {@code provides} a {@link dev.shunt.api.spi.TransportProvider}, which makes one
 * {@link dev.shunt.api.spi.Transport} for each engine. The transport has {@link
 * dev.shunt.api.spi.Rail}s. The runtime asks it for a {@link dev.shunt.api.spi.Channel} on a pair
 * of a local and a remote rail, posts {@link dev.shunt.api.spi.Slice}s on it, and hears of each
 * exactly once through the {@link dev.shunt.api.spi.LaneListener}.
 *
 * <h2>Threads</h2>
 *
 * <p>A transport has none of its own. The runtime gives it one <em>supervisor</em> thread (slow
 * things: connecting, registering, keeping alive; see {@link dev.shunt.api.spi.Supervisor}) and a
 * number of <em>lanes</em> (fast things: posting and completing; see {@link
 * dev.shunt.api.spi.LaneDriver}). A channel belongs to one lane for life. The two sides talk
 * through mailboxes only: {@link dev.shunt.api.spi.TransportContext#lane} and {@link
 * dev.shunt.api.spi.TransportContext#supervisor}. Nothing on these threads blocks; calls that may
 * block go through {@link dev.shunt.api.spi.Attempts}. All times are nanoseconds of {@link
 * dev.shunt.api.spi.TransportContext#now()}, and all sockets come from {@link
 * dev.shunt.api.spi.Wires}: so a simulator can run the same code.
 *
 * <h2>The life of a slice</h2>
 *
 * <p>{@code post} hands it over; {@code completed} or {@code failed} hands it back. In between the
 * transport may touch its local memory, afterwards never. A deadline is the runtime's business: a
 * slice past its deadline stays posted until the fabric lets go of it. A write that failed with
 * {@link dev.shunt.api.spi.Fault.Effect#POSSIBLE} may still change the remote; what makes that
 * impossible is a fence, and {@link dev.shunt.api.spi.Limits.Fencing} says which kind there is.
 *
 * <h2>Checking it</h2>
 *
 * <p>The test jar of this module has a contract suite ({@code dev.shunt.api.contract}) with a small
 * host of its own; every transport passes it, with skips only where its limits say so.
 */
package dev.shunt.api.spi;
