package dev.shunt.transport.rdma;

import static dev.shunt.transport.rdma.Pair.MILLI;
import static dev.shunt.transport.rdma.Pair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Registration;
import dev.shunt.api.spi.TransportException;
import dev.shunt.transport.rdma.testing.TestMemory;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Memory on several rails: on all, or on none. */
class RegistrationsTest {
  private final List<Registration> answers = new ArrayList<>();

  private static TestMemory memory(long bytes) {
    return new TestMemory(
        Arena.ofAuto().allocate(bytes, 4096), Access.REMOTE_READ_WRITE, new ArrayList<>());
  }

  private void register(Pair pair, long bytes) {
    pair.a.transport().register(pair.a.rails(), memory(bytes), answers::add);
  }

  private Registration.Made made(Pair pair) {
    pair.await("an answer", () -> !answers.isEmpty());
    return assertInstanceOf(Registration.Made.class, answers.removeFirst());
  }

  private TransportException refused(Pair pair) {
    pair.await("an answer", () -> !answers.isEmpty());
    return assertInstanceOf(Registration.Refused.class, answers.removeFirst()).why();
  }

  private static long regions(Pair pair) {
    return pair.nicsA[0].resources() + pair.nicsA[1].resources();
  }

  @Test
  void whatIsSmallIsRegisteredAtOnce() {
    var pair = new Pair();
    int attempts = pair.a.attempts.run;
    register(pair, 4096);
    assertEquals(2, assertInstanceOf(Registration.Made.class, answers.getFirst()).keys().size());
    assertEquals(attempts, pair.a.attempts.run);
  }

  @Test
  void whatIsLargeIsRegisteredOnAllRailsAtTheSameTime() {
    var pair = new Pair();
    pair.a.attempts.delay = 30 * MILLI;
    long begin = pair.world.now();
    long before = regions(pair);
    register(pair, Registrations.LARGE);
    assertTrue(answers.isEmpty(), "the supervisor does not wait");
    var keys = made(pair).keys();
    assertEquals(30 * MILLI, pair.world.now() - begin, "both rails took that long");
    assertEquals(2, keys.size());
    assertEquals(before + 2, regions(pair));
    keys.forEach(pair.a.transport()::unregister);
    assertEquals(before, regions(pair));
  }

  @Test
  void oneRailRegistersOneAfterTheOther() {
    var pair = new Pair();
    pair.a.attempts.delay = 10 * MILLI;
    long begin = pair.world.now();
    for (int i = 0; i < 3; i++) {
      register(pair, Registrations.LARGE);
    }
    pair.await("all answers", () -> answers.size() == 3);
    assertEquals(30 * MILLI, pair.world.now() - begin);
  }

  @Test
  void aRailThatRefusesLeavesNothingOnTheOthers() {
    for (long bytes : new long[] {4096, Registrations.LARGE}) {
      var pair = new Pair();
      long before = regions(pair);
      pair.nicsA[1].refuseRegistrations(VerbsException.ENOMEM);
      register(pair, bytes);
      var why = refused(pair);
      assertEquals(FailureCode.RESOURCE, why.code());
      assertTrue(why.getMessage().contains(bytes + " bytes"), why.getMessage());
      assertTrue(why.getMessage().contains("mlx5_1"), why.getMessage());
      assertEquals(before, regions(pair));
    }
  }

  @Test
  void whatWasRefusedIsNotRegisteredWithTheNextContextOfARail() {
    var pair = new Pair();
    long before = regions(pair);
    pair.nicsA[0].overrun();
    pair.run(MILLI);
    pair.nicsA[1].refuseRegistrations(VerbsException.ENOMEM);
    register(pair, Registrations.LARGE);
    refused(pair);
    pair.nicsA[1].refuseRegistrations(0);
    var checked = new ArrayList<Optional<Fault>>();
    pair.a.check(0, true, 10 * SECOND, checked);
    pair.await("another context", () -> !checked.isEmpty());
    assertEquals(List.of(Optional.empty()), checked);
    assertEquals(before, regions(pair), "nobody has asked for more");
  }

  @Test
  void whatComesTooLateIsEndedAgain() {
    var pair = new Pair(Map.of("device.register-timeout", "1s"));
    long before = regions(pair);
    pair.a.attempts.delay = 5 * SECOND;
    register(pair, Registrations.LARGE);
    refused(pair);
    pair.run(10 * SECOND);
    assertEquals(before, regions(pair), "nobody has its keys");
    pair.a.attempts.delay = 0;
    register(pair, Registrations.LARGE);
    assertEquals(2, made(pair).keys().size(), "and the rails go on");
  }

  @Test
  void aCloseAnswersWhatIsUnderWayAndKeepsTheDeviceOpenForIt() {
    var pair = new Pair();
    pair.a.attempts.delay = SECOND;
    register(pair, Registrations.LARGE);
    pair.a.close();
    assertEquals(FailureCode.CLOSED, refused(pair).code());
    pair.run(10 * SECOND);
    assertEquals(0, regions(pair), "what came late is ended on a device that is open");
  }
}
