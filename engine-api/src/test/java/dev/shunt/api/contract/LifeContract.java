package dev.shunt.api.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueFactory;
import dev.shunt.api.FailureCode;
import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Spi;
import java.util.ArrayList;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

/** Providers, connections and processes come and go, and leave nothing behind. */
interface LifeContract extends Contract {
  @Test
  default void theProviderDescribesItself() {
    play(
        bench -> {
          var provider = bench.kit().provider("a");
          assertTrue(provider.id().matches("[a-z0-9-]+"), () -> "the id " + provider.id());
          assertEquals(Spi.VERSION, provider.spiVersion(), "the SPI's version");
          assertFalse(provider.version().isBlank(), "a version");
          assertEquals(
              provider.id(), bench.kit().provider("a").id(), "the same id from each instance");
          provider.validate(bench.kit().config("a"));
          assertEquals(bench.limits(), bench.a().transport().limits(), "limits never change");
        });
  }

  @Test
  default void aTransportWithPortsForNotificationsIsTestedForThem() {
    play(
        bench ->
            assertEquals(
                bench.a().notifies(),
                this instanceof NotifyContract,
                "it has ports, and its test implements NotifyContract"));
  }

  @Test
  default void railsHaveNamesAndPlacesThatStay() {
    play(
        bench -> {
          var rails = bench.a().rails();
          assertFalse(rails.isEmpty(), "a rail at least");
          var names = new HashSet<String>();
          for (int i = 0; i < rails.size(); i++) {
            assertEquals(i, rails.get(i).index(), "the place of " + rails.get(i).name());
            assertTrue(names.add(rails.get(i).name()), "two rails " + rails.get(i).name());
            assertNotNull(rails.get(i).attributes());
          }
        });
  }

  @Test
  default void aMalformedConfigurationIsRefusedAndNamed() {
    play(
        bench -> {
          var provider = bench.kit().provider("a");
          var malformed = bench.kit().malformed();
          assumeFalse(malformed.isEmpty(), "the kit knows no malformed values");
          for (var entry : malformed.entrySet()) {
            var config =
                bench
                    .kit()
                    .config("a")
                    .withValue(
                        entry.getKey(), ConfigValueFactory.fromAnyRef(entry.getValue(), "a test"));
            var refusal =
                assertThrows(
                    ConfigException.class,
                    () -> provider.validate(config),
                    () -> entry.getKey() + " = " + entry.getValue());
            var last = entry.getKey().substring(entry.getKey().lastIndexOf('.') + 1);
            assertTrue(
                refusal.getMessage().contains(last),
                () -> "names the key: " + refusal.getMessage());
          }
        });
  }

  @Test
  default void connectingAndRetiringAThousandTimesLeavesNothing() {
    play(
        bench -> {
          int times = bench.stage().virtual() ? 25 : 200;
          cycles(bench, times);
          long wires = wires(bench);
          long resources = bench.kit().resources();
          long heap = heap();
          // What leaks grows in each period; what is warmed up, pooled or cached does not.
          long least = Long.MAX_VALUE;
          for (int period = 0; period < 4; period++) {
            cycles(bench, times);
            long now = heap();
            least = Math.min(least, (now - heap) / times);
            heap = now;
          }
          assertEquals(wires, wires(bench), "streams that are left over");
          assertEquals(resources, bench.kit().resources(), "objects of the fabric left over");
          assertTrue(least < 1024, "heap bytes kept for each connection: " + least);
        });
  }

  private static void cycles(ContractBench bench, int times) {
    for (int i = 0; i < times; i++) {
      cycle(bench, i);
    }
    bench.a().forgetAnswers();
    // Past whatever the fabric's kernel keeps of a connection.
    bench.stage().run(bench.stage().virtual() ? 200 * SECOND : SECOND);
  }

  private static void cycle(ContractBench bench, int i) {
    var channel = bench.up(i % bench.a().lanes(), 0, 0);
    if (i % 3 == 0) {
      bench.carry(channel, bench.slice(true, 0, 0, bench.blocks(100)));
    }
    channel.retire(RetireReason.EVICTED);
    bench.await("the channel's end", () -> channel.down() != null);
  }

  private static long wires(ContractBench bench) {
    return bench.stage() instanceof VirtualStage virtual ? virtual.network().open().size() : 0;
  }

  private static long heap() {
    System.gc();
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  default void manyConnectsAtOnceAreEachAnsweredOnce() {
    play(
        bench -> {
          var answers = new ArrayList<ConnectAnswer>();
          for (int i = 0; i < 40; i++) {
            int rails = bench.a().rails().size();
            answers.add(bench.connect(i % bench.a().lanes(), i % rails, 0));
          }
          for (var answer : answers) {
            bench.carry(bench.up(answer), bench.slice(true, 0, 0, bench.blocks(100)));
          }
        });
  }

  @Test
  default void aConnectThatShowsUpTwiceMakesOneChannel() {
    play(
        bench -> {
          assumeTrue(bench.faults().duplicateConnects(0, 0), "the kit duplicates no connects");
          for (int i = 0; i < 5; i++) {
            bench.carry(bench.up(), bench.slice(true, 0, 0, bench.blocks(100)));
          }
          bench.stage().run(SECOND);
        });
  }

  @Test
  default void bothSidesMayConnectToEachOtherAtOnce() {
    play(
        bench -> {
          var b = bench.b();
          var there = bench.connect(0, 0, 0);
          var back =
              b.connect(
                  new dev.shunt.api.spi.ConnectRequest(
                      b.freshId(),
                      bench.a().asRemote(),
                      b.rails().getFirst(),
                      bench.a().described().getFirst(),
                      0,
                      bench.stage().now() + 5 * SECOND));
          bench.carry(bench.up(there), bench.slice(true, 0, 0, bench.blocks(100)));
          bench.up(back);
        });
  }

  @Test
  default void aRestartOnTheSameAddressIsAnotherNode() {
    play(
        bench -> {
          var old = bench.b().asRemote();
          var oldMemory = bench.far();
          long oldKey = oldMemory.key(0);
          var channel = bench.up();
          bench.carry(channel, bench.slice(true, 0, 0, bench.blocks(5000)));
          bench.restartB(Death.KILLED);
          bench.await("the old channel's end", () -> channel.down() != null);
          var stale =
              bench
                  .a()
                  .connect(
                      bench.request(old, bench.a().freshId(), 0, 0, bench.rail(0), 5 * SECOND));
          bench.await("the answer", stale::answered);
          assertNotNull(stale.fault(), stale::toString);
          assertEquals(FailureCode.STALE_GENERATION, stale.fault().code(), stale::toString);
          var fresh = bench.up();
          var good = bench.slice(true, 0, 0, bench.blocks(5000));
          bench.expectWritten(good);
          bench.carry(fresh, good);
          var wrong = bench.slice(true, bench.local(), 0, 1000, bench.far().address(), oldKey);
          if (oldKey != bench.far().key(0)) {
            bench.post(fresh, wrong);
            bench.await("the report of " + wrong, wrong::ended);
            assertEquals(ContractSlice.State.FAILED, wrong.state(), wrong::toString);
          }
          bench.assertRemote("after keys of the old process");
        });
  }

  @Test
  default void anInboundTransferThatStallsLetsItsMemoryGo() {
    play(
        bench -> {
          var remote = bench.b();
          var config = bench.kit().config("b");
          assumeTrue(
              config.hasPath("inbound-progress-timeout"),
              "there is no inbound-progress-timeout: nothing inbound holds memory here");
          long patience = config.getDuration("inbound-progress-timeout").toNanos();
          var channel = bench.up();
          for (int i = 0; i < 4; i++) {
            bench.post(channel, bench.slice(true, 0, i * 250_000L, bench.blocks(250_000)));
          }
          boolean lent = bench.stage().until(() -> remote.regions().leases() > 0, SECOND);
          assumeTrue(lent, "nothing inbound holds memory here");
          assumeTrue(bench.faults().hold(0, 0), "the kit cannot hold a path");
          bench.stage().run(patience + SECOND);
          assertEquals(0, remote.regions().leases(), "leases of a stalled transfer");
          bench.faults().release(0, 0);
          bench.stage().run(SECOND);
          assertEquals(0, remote.regions().leases(), "leases after the late bytes");
        });
  }

  @Test
  default void aParkedDriverComesBackAtItsTimeAndWhenWoken() {
    play(
        bench -> {
          assumeFalse(bench.stage().virtual(), "nothing parks in a virtual world");
          var driver = bench.a().lane(0).driver();
          while (driver.work(bench.stage().now()) > 0) {
            Thread.onSpinWait();
          }
          long begin = bench.stage().now();
          driver.park(begin + 20 * MILLI);
          assertTrue(bench.stage().now() - begin < 10 * SECOND, "back at its time");
          var waker =
              Thread.ofPlatform()
                  .start(
                      () -> {
                        driver.wake();
                      });
          driver.park(bench.stage().now() + 60 * SECOND);
          waker.join();
          assertTrue(bench.stage().now() - begin < 30 * SECOND, "back when woken");
        });
  }
}
