package dev.shunt.api.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.api.spi.TransportException;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireException;
import dev.shunt.api.spi.WireHandler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RealStageTest {
  private static final long SECOND = 1_000_000_000L;
  private static final InetSocketAddress ANY = new InetSocketAddress("127.0.0.1", 0);

  private final RealStage stage = new RealStage(1);
  private final List<String> events = new ArrayList<>();

  @Test
  void bytesGoThroughRealSocketsUntilTheProcessIsKilled() {
    stage.start("a");
    stage.start("b");
    var client = new End("a");
    var server = new End("b");
    var listening = server.loop.listen(ANY, (wire, _) -> server.with(wire));
    client.with(client.loop.connect(ANY, listening.address(), client));
    assertTrue(stage.until(() -> events.contains("a connected"), 5 * SECOND));
    client.send(1 << 20);
    assertTrue(stage.until(() -> server.received == 1 << 20, 5 * SECOND));
    assertEquals(-1, client.memory.mismatch(server.memory));
    stage.kill("b", Death.KILLED);
    assertTrue(stage.until(() -> client.ended, 5 * SECOND));
  }

  @Test
  void nobodyListensThenItIsRefused() {
    stage.start("a");
    stage.start("b");
    var server = new End("b");
    var listening = server.loop.listen(ANY, (wire, _) -> server.with(wire));
    listening.close();
    var client = new End("a");
    client.with(client.loop.connect(ANY, listening.address(), client));
    assertTrue(stage.until(() -> events.contains("a failed"), 5 * SECOND));
  }

  @Test
  void aTakenPortIsRefused() {
    stage.start("b");
    var server = new End("b");
    var listening = server.loop.listen(ANY, (wire, _) -> server.with(wire));
    assertThrows(
        TransportException.class,
        () -> server.loop.listen(listening.address(), (wire, _) -> server.with(wire)));
  }

  @Test
  void aFrozenProcessTakesNothingUntilItIsThawed() {
    stage.start("a");
    stage.freeze("a");
    stage.send("a", () -> events.add("sent"));
    stage.run(SECOND / 100);
    assertEquals(List.of(), events);
    stage.thaw("a");
    assertTrue(stage.until(() -> events.contains("sent"), 5 * SECOND));
  }

  private final class End implements WireHandler {
    final String name;
    final RealLoop loop;
    final MemorySegment memory = Arena.ofAuto().allocate(1 << 20);
    Wire wire;
    long received;
    long sent;
    long toSend;
    boolean ended;

    End(String name) {
      this.name = name;
      loop = (RealLoop) stage.wires(name).open("loop");
      stage.actor(name, "end", loop::poll);
    }

    End with(Wire mine) {
      wire = mine;
      return this;
    }

    void send(long bytes) {
      memory.fill((byte) 7);
      toSend = bytes;
      wire.interest(true, true);
    }

    @Override
    public void connected(Wire mine, long now) {
      events.add(name + " connected");
    }

    @Override
    public void readable(Wire mine, long now) {
      long n = mine.read(memory, received, memory.byteSize() - received);
      if (n < 0) {
        ended = true;
        mine.close();
      } else {
        received += n;
      }
    }

    @Override
    public void writable(Wire mine, long now) {
      sent += mine.write(memory, sent, toSend - sent);
      mine.interest(true, sent < toSend);
    }

    @Override
    public void failed(Wire mine, WireException cause, long now) {
      events.add(name + " failed");
      ended = true;
    }
  }
}
