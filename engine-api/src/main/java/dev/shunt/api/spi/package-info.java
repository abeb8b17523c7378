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
 * folder with it and the jars that it alone needs, goes into a directory that configuration names
 * by {@code shunt.plugins.dir}. There is no default: the {@code plugins} directory of the image is
 * a place for it, and has to be named as well. Each jar or folder is a module layer of its own over
 * the engine's modules, so that plug-ins do not see each other; what the engine has already ({@code
 * dev.shunt.api}, {@code typesafe.config}, {@code org.slf4j}) is not put there again. {@link
 * dev.shunt.api.Engine#status} lists what was found, and why something was not taken.
 *
 * <p>A plug-in that calls restricted methods (a driver's library) needs native access, which the
 * JVM gives to modules of its boot layer by name only, and the image denies to all others. So it
 * goes onto the module path instead, of the image too: {@code JDK_JAVA_OPTIONS="--module-path JAR
 * --add-modules com.example.fabric --enable-native-access=com.example.fabric"}. On the class path,
 * with {@code META-INF/services} in place of {@code provides}, it is {@code
 * --enable-native-access=ALL-UNNAMED}.
 *
 * <h2>Checking it</h2>
 *
 * <p>The test jar of this module has a contract suite ({@code dev.shunt.api.contract}) with a small
 * host of its own; every transport passes it, with skips only where its limits say so.
 */
package dev.shunt.api.spi;
