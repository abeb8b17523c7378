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
 * dev.shunt.api.spi.LaneDriver}). A channel belongs to one lane for life, and is called in that
 * lane's turns, one after the other. These are its thread's, unless the transport promises more: by
 * {@link dev.shunt.api.spi.LaneDriver#postsWhileParked()} it lets callers post on their own threads
 * while the lane's is at rest, still in turns that never overlap and that see what was written in
 * those before. A transport that does not, which is the default, meets one thread only. The two
 * sides talk through mailboxes only: {@link dev.shunt.api.spi.TransportContext#lane} and {@link
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
 * <h2>Notifications</h2>
 *
 * <p>A fabric that can carry short messages has {@link dev.shunt.api.spi.NotifyPort}s beside its
 * channels ({@link dev.shunt.api.spi.Transport#openNotify}). The receiving side owes this: whatever
 * its fabric acknowledged to a sender is handed up, also of a link that retires. So its end of a
 * link stays known until all that landed has been read, and no longer than a quarantine allows.
 *
 * <h2>Packaging</h2>
 *
 * <p>A plug-in is a module that requires this one and declares its provider; it exports nothing:
 *
 * <pre>{@code
 * module com.example.fabric {
 *   requires dev.shunt.api;
 *
 *   provides dev.shunt.api.spi.TransportProvider with com.example.fabric.FabricProvider;
 * }
 * }</pre>
 *
 * <p>Its {@code reference.conf}, in the root of the jar, gives the defaults of {@code
 * shunt.transports.ID} and is their schema; see {@link dev.shunt.api.spi.Provider}. The jar, or a
 * folder with it and the jars that it alone needs, goes into the {@code plugins} directory of the
 * image, or into the one that configuration names by {@code shunt.plugins.dir}. Each jar or folder
 * is a module layer of its own over the engine's modules, so that plug-ins do not see each other;
 * what the engine has already ({@code dev.shunt.api}, {@code typesafe.config}, {@code org.slf4j})
 * is not put there again. Several engines of a process share that layer, each with a provider
 * instance and a worker of its own: what is static is shared. {@link dev.shunt.api.Engine#status}
 * lists what was found, and why something was not taken. Whatever a provider throws, from its
 * constructor to {@code start}, costs nobody else anything.
 *
 * <p>A plug-in may require modules of the JDK as far as the image holds them; of others its cause
 * tells that they are missing.
 *
 * <p>Restricted methods (a driver's library) may be called by those modules that configuration
 * names: {@code shunt.plugins.native-access = [com.example.fabric]}. The image denies them to all
 * others. On the class path, with {@code META-INF/services} in place of {@code provides}, it is the
 * JVM that grants it, to all there: {@code --enable-native-access=ALL-UNNAMED}.
 *
 * <h2>Checking it</h2>
 *
 * <p>The test jar of this module has a contract suite ({@code dev.shunt.api.contract}) with a small
 * host of its own; every transport passes it, with skips only where its limits say so. It is not
 * modular: depend on it in the scope of tests, beside JUnit. With a {@code RealStage} a transport
 * over the sockets of another kind than {@link dev.shunt.api.spi.Wires} gives runs as it is, on a
 * selector of its own in each {@link dev.shunt.api.spi.LaneDriver}; its kit closes them when a host
 * dies.
 */
package dev.shunt.api.spi;
