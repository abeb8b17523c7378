package dev.shunt.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.contract.RealStage;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a limit of this machine stands in the way, this side is to blame, and told what helps. */
class RemediesTest {
  @ParameterizedTest
  @CsvSource({
    "Cannot assign requested address, ip_local_port_range",
    "Address already in use, ip_local_port_range",
    "Too many open files, ulimit -n",
    "No buffer space available, memory",
  })
  void whatStopsAConnectIsOursWithARemedy(String said, String remedy) {
    var broken = Faults.unopened(new WireException("cannot connect", new IOException(said)));
    var refused =
        Faults.unopened(
            new TransportException(FailureCode.DEVICE, "cannot", new IOException(said)));
    for (var fault : new Fault[] {broken, refused}) {
      assertEquals(Fault.Blame.LOCAL, fault.blame());
      assertEquals(FailureCode.RESOURCE, fault.code());
      assertEquals(Fault.Effect.NONE, fault.effect());
      assertTrue(fault.text().contains(remedy), fault.text());
    }
  }

  @Test
  void whatStopsThePeerIsThePeers() {
    var fault = Faults.unopened(new WireException("x", new IOException("Connection refused")));
    assertEquals(Fault.Blame.REMOTE, fault.blame());
    assertEquals(FailureCode.CONNECTION, fault.code());
  }

  @Test
  void aPortThatIsTakenIsToldWithItsRailAndWhatToDo() {
    var town = new Town(1, 1, "");
    var taken = town.b.rails.getFirst().attributes().get("port");
    var rail = "{ address = \"10.0.0.2\", name = outer, port = " + taken + " }";
    var config = Town.config("strict-rails = true, rails = [" + rail + "]");
    var refused =
        assertThrows(
            TransportException.class, () -> new Node(town.world, town.hostB, 0xb2, 1, config));
    assertTrue(refused.getMessage().contains("rail outer"), refused.getMessage());
    assertTrue(refused.getMessage().contains("10.0.0.2"), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "Address already in use, set another port for rail outer",
    "Cannot assign requested address, no interface of this machine",
    "Permission denied, ip_unprivileged_port_start",
    "Too many open files, ulimit -n",
  })
  void whatStopsAListenerHasARemedy(String said, String remedy) {
    assertTrue(Remedies.forListening(said, "outer").contains(remedy));
  }

  @Test
  void thisSystemSaysWhatIsLookedFor() {
    var stage = new RealStage(1);
    stage.start("a");
    var loop = stage.wires("a").open("loop");
    var somewhere = loop.listen(new InetSocketAddress("127.0.0.1", 0), (_, _) -> new Nobody());
    var address = somewhere.address();
    var taken =
        assertThrows(TransportException.class, () -> loop.listen(address, (_, _) -> new Nobody()));
    assertTrue(Remedies.forListening(taken.getCause().getMessage(), "r").contains("another port"));
    var foreign = new InetSocketAddress("192.0.2.1", 0);
    var refused =
        assertThrows(TransportException.class, () -> loop.connect(foreign, address, new Nobody()));
    assertEquals(FailureCode.RESOURCE, Faults.unopened(refused).code());
    loop.close();
  }

  private static final class Nobody implements WireHandler {
    @Override
    public void connected(Wire wire, long now) {}

    @Override
    public void readable(Wire wire, long now) {}

    @Override
    public void writable(Wire wire, long now) {}

    @Override
    public void failed(Wire wire, WireException cause, long now) {}
  }
}
