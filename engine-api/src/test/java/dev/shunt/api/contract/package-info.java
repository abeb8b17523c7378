/**
 * The contract of transports, as tests: every transport passes them, with skips only where its
 * {@link dev.shunt.api.spi.Limits} say so, or where the test's kit cannot break what a test wants
 * broken.
 *
 * <p>To put a transport under it, depend on the test jar of this module and write one class:
 *
 * <pre>{@code
 * class MyTransportContractTest extends TransportContract {
 *   @Override
 *   protected ContractKit kit(long seed) {
 *     return new ContractKit() {
 *       private final VirtualStage stage = new VirtualStage(seed);
 *
 *       @Override
 *       public Stage stage() {
 *         return stage;
 *       }
 *
 *       @Override
 *       public TransportProvider provider(String host) {
 *         return new MyProvider();
 *       }
 *
 *       @Override
 *       public Config config(String host) {
 *         var addresses =
 *             host.equals("a") ? List.of("10.0.0.1", "10.0.1.1") : List.of("10.0.0.2", "10.0.1.2");
 *         return config(provider(host), Map.of("rails", addresses));
 *       }
 *
 *       @Override
 *       public Optional<Faults> faults() {
 *         return Optional.of(new SimFaults(stage));
 *       }
 *     };
 *   }
 * }
 * }</pre>
 *
 * <p>{@link dev.shunt.api.contract.ContractKit} lists what else a kit may say: what the fabric's
 * own objects are, which configurations are wrong, a target of the transport's own. A transport
 * over a fabric of its own (a driver's library) runs on that library's fake, which takes its time
 * from {@link dev.shunt.api.sim.World#now}, schedules its work with {@link
 * dev.shunt.api.sim.World#schedule}, and wakes the turn that polled it ({@link
 * dev.shunt.api.sim.World#current}), or all of a process ({@link
 * dev.shunt.api.sim.SimProcess#wake}). With a {@link dev.shunt.api.contract.RealStage} the same
 * suite runs over real sockets and devices.
 *
 * <p>A transport that has ports for notifications is held to {@link
 * dev.shunt.api.contract.NotifyContract} too: its test class implements that beside, and fails
 * where it does not.
 *
 * <h2>What a kit supplies so that nothing is skipped</h2>
 *
 * <ul>
 *   <li>{@link dev.shunt.api.contract.ContractKit.Faults}, each of which answers true: {@code cut},
 *       {@code hold} and {@code release}, {@code silence} and {@code heal}, {@code
 *       duplicateConnects}, and {@code nonsense}. {@link dev.shunt.api.contract.SimFaults} has them
 *       for a transport whose bytes go over {@link dev.shunt.api.spi.Wires}, but for {@code
 *       nonsense}: a subclass says where to throw it.
 *   <li>Two rails on both hosts, by the configuration.
 *   <li>{@link dev.shunt.api.contract.ContractKit#malformed}: a wrong value at least.
 *   <li>Where the transport serves inbound requests itself: the key {@code
 *       inbound-progress-timeout}.
 *   <li>Where the remote is a target: {@code kill}, {@code freeze} and {@code thaw} of {@link
 *       dev.shunt.api.contract.ContractKit.TargetKit}.
 *   <li>Both kinds of stage, in a class each: parking is tested on a real one only, what the two
 *       sides allocate on a virtual one only. Skipped on one, it is to run on the other.
 * </ul>
 *
 * <p>What is left depends on {@link dev.shunt.api.spi.Limits}: reading, serving, the kind of fence.
 * A skip says why, and needs a reason that stands: a line with the test and the reason in {@code
 * distribution/test-skips}. One that is not listed there fails {@code distribution/verify}.
 *
 * <p>In a virtual world each test is played with several seeds; a failure names its seed, and
 * {@code -Dcontract.seed=N} plays that one alone. All turns run on the test's thread. The parts
 * whose names begin with {@code Host} are a node without an engine; {@link
 * dev.shunt.api.contract.memory} is a transport to begin with, and, with flaws planted, the proof
 * that each test bites.
 */
package dev.shunt.api.contract;
