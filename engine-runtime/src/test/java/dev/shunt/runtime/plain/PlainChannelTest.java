package dev.shunt.runtime.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RemoteRail;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.Verdict;
import dev.shunt.api.spi.Wire;
import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.Wires;
import dev.shunt.runtime.descriptor.Descriptor;
import dev.shunt.runtime.descriptor.Extension;
import dev.shunt.runtime.plain.core.PeerRanges;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A connection knows the process that it was made for. */
class PlainChannelTest {
  private static final InetSocketAddress PLACE = new InetSocketAddress("127.0.0.1", 7);

  private final AtomicReference<PlainChannel> dialled = new AtomicReference<>();
  private final List<String> heard = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();

  private static <T> T stub(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              var answer = answers.get(method.getName());
              if (answer != null) {
                return answer;
              }
              return method.getReturnType() == int.class
                  ? (Object) 0
                  : method.getReturnType() == long.class
                      ? (Object) 0L
                      : method.getReturnType() == boolean.class ? (Object) false : null;
            }));
  }

  private PlainLane lane() {
    var wire = stub(Wire.class, Map.of());
    var loop =
        (WireLoop)
            Proxy.newProxyInstance(
                WireLoop.class.getClassLoader(),
                new Class<?>[] {WireLoop.class},
                (self, method, arguments) -> {
                  if (method.getName().equals("connect")) {
                    dialled.set((PlainChannel) arguments[2]);
                    return wire;
                  }
                  return method.getReturnType() == int.class ? (Object) 0 : null;
                });
    var context =
        stub(
            TransportContext.class,
            Map.of(
                "wires", stub(Wires.class, Map.of("open", loop)), "controlAddress", "127.0.0.1:1"));
    var rails = List.of(new PlainRail("any", 0, new InetSocketAddress(0)));
    var lane =
        new PlainLane(0, context, new PlainSettings(rails, 1 << 20, 1, 2, Long.MAX_VALUE / 2));
    lane.opened(
        (LaneListener)
            Proxy.newProxyInstance(
                LaneListener.class.getClassLoader(),
                new Class<?>[] {LaneListener.class},
                (self, method, arguments) -> {
                  heard.add(method.getName());
                  if (arguments[arguments.length - 1] instanceof Fault fault) {
                    faults.add(fault);
                  }
                  return null;
                }));
    lane.connect(
        new ConnectRequest(
            new LinkId(1, 1),
            new Remote.Node("peer", 7, Verdict.PLAIN),
            rails.getFirst(),
            new RemoteRail("r", 0, Map.of()),
            0,
            1_000_000_000L),
        PLACE);
    dialled.get().connected(wire, 0);
    return lane;
  }

  private static PeerRanges told(long generation) {
    return PeerRanges.of(
        new Descriptor(
            "peer",
            "",
            "127.0.0.1:7",
            List.of(),
            List.of(),
            "{}",
            generation == 0
                ? Optional.empty()
                : Optional.of(
                    new Extension(
                        Extension.VERSION, generation, List.of("127.0.0.1:7"), Map.of()))));
  }

  @Test
  void aDescriptorOfTheGenerationThatWasMetBringsItUp() {
    var lane = lane();
    dialled.get().described(told(7));
    lane.work(0);
    assertEquals(List.of("channelUp"), heard);
  }

  @Test
  void aDescriptorOfAnotherGenerationEndsIt() {
    for (long other : new long[] {8, 6, 0}) {
      heard.clear();
      faults.clear();
      var lane = lane();
      dialled.get().described(told(other));
      lane.work(0);
      assertEquals(List.of("connectFailed"), heard, "generation " + other);
      assertEquals(FailureCode.STALE_GENERATION, faults.getFirst().code());
      assertEquals(Fault.Effect.NONE, faults.getFirst().effect());
      assertTrue(faults.getFirst().text().endsWith("was met as 7"), faults.getFirst().text());
    }
  }
}
