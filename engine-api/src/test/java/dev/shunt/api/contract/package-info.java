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
 * <p>In a virtual world each test is played with several seeds; a failure names its seed, and
 * {@code -Dcontract.seed=N} plays that one alone. All turns run on the test's thread. The parts
 * whose names begin with {@code Host} are a node without an engine; {@link
 * dev.shunt.api.contract.memory} is a transport to begin with, and, with flaws planted, the proof
 * that each test bites.
 */
package dev.shunt.api.contract;
