/**
 * The simulator: whole engines, with the production code of all that stands above the lowest seams,
 * in a virtual world of one thread. A seed gives the story: who asks whom for what, and what fails.
 *
 * <p>A {@link dev.shunt.runtime.sim.Cluster} has nodes ({@link dev.shunt.runtime.sim.SimNode}), or
 * nodes and storage targets ({@link dev.shunt.runtime.sim.SimTarget}), over one {@link
 * dev.shunt.runtime.sim.Fabric}: TCP on virtual wires, RDMA on software NICs, NVMe/TCP towards
 * targets in the same world. {@link dev.shunt.runtime.sim.Script} plays a seed: {@link
 * dev.shunt.runtime.sim.Acts} is what applications do, {@link dev.shunt.runtime.sim.Fate} and the
 * fabric's {@link dev.shunt.runtime.sim.Trouble}s are what goes wrong. {@link
 * dev.shunt.runtime.sim.Scene} is for stories that a test tells by itself.
 *
 * <p>Watched after every event: {@link dev.shunt.runtime.sim.Guard} sees each slice, channel, key
 * and lease at the transport's interface; {@link dev.shunt.runtime.sim.Ground} knows what each byte
 * of memory must be, and which may still change; {@link dev.shunt.runtime.sim.Story} and {@link
 * dev.shunt.runtime.sim.Mails} compare what applications are told with what is so; an error in the
 * log is a failure. At the end every node must reach every other one again, and all counts must be
 * even ({@link dev.shunt.runtime.sim.Reckoning}). {@link dev.shunt.runtime.sim.Weakness} breaks
 * things on purpose, to show that each check notices; {@link dev.shunt.runtime.sim.Mark} names what
 * a pool of seeds has to meet.
 *
 * <p>Half of the seeds run on nodes that have all there is, the others on a row of {@link
 * dev.shunt.runtime.sim.Sides}: a covering array, in which any two of the {@link
 * dev.shunt.runtime.sim.Feature}s meet in each combination on the same side and on both. Some
 * stories have faults of one kind only, so that it shows who is charged: {@link
 * dev.shunt.runtime.sim.Harm} knows what was broken and on which side, {@link
 * dev.shunt.runtime.sim.RailLog} when a rail may be used again, {@link
 * dev.shunt.runtime.sim.Bounds} what a process may wait for and have.
 *
 * <p>Of a rail's check that never ends, since its completion was swallowed, nothing is asked but
 * that the rail stays out of use; a path that failed within a second after its own process stood
 * still is not judged, nor is a device that broke for good: only another process gets it back.
 *
 * <p>Not checked, because nothing could be said of it: bytes that a write of unknown end may still
 * change, and data that was damaged on a stream without a checksum, until their memory is
 * registered anew.
 *
 * <p>To replay one seed with all that happens: {@code mvn -pl engine-runtime -am test
 * -Dtest=SeedsTest -Dsurefire.failIfNoSpecifiedTests=false -Dshunt.seed=tcp:7}. Another number of
 * seeds: {@code -Dshunt.seeds=100000}; of one kind only: {@code -Dshunt.seeds.kind=rdma}.
 */
package dev.shunt.runtime.sim;
