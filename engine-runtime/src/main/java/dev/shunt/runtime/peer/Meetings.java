package dev.shunt.runtime.peer;

import dev.shunt.api.spi.Fault;
import dev.shunt.runtime.control.CallHandler;
import dev.shunt.runtime.control.ControlService;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.core.Greeting;
import dev.shunt.runtime.control.core.Greeting.Outcome;
import dev.shunt.runtime.control.core.HelloCodec;
import dev.shunt.runtime.control.core.Offer;
import dev.shunt.runtime.transport.Steward;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Says Hello: one at a time to each peer, however many ask. On the steward's thread. */
public final class Meetings {
  private final String name;
  private final long generation;
  private final Offer offer;
  private final List<String> required;
  private final ControlService control;
  private final Steward steward;
  private final Map<Peer, List<Consumer<Outcome>>> underWay = new HashMap<>();

  private record Peer(List<String> addresses, long generation) {}

  /** Has met nobody. */
  public Meetings(
      String name,
      long generation,
      Offer offer,
      List<String> required,
      ControlService control,
      Steward steward) {
    this.name = name;
    this.generation = generation;
    this.offer = offer;
    this.required = List.copyOf(required);
    this.control = control;
    this.steward = steward;
  }

  /**
   * Meets a peer.
   *
   * @param addresses where its control plane listens
   * @param expected the generation that it is described with
   * @param answer called on the steward's thread
   */
  public void meet(List<String> addresses, long expected, long deadline, Consumer<Outcome> answer) {
    var peer = new Peer(addresses, expected);
    var waiting = underWay.get(peer);
    if (waiting != null) {
      waiting.add(answer);
      return;
    }
    waiting = new ArrayList<>();
    waiting.add(answer);
    underWay.put(peer, waiting);
    var greeting = new Greeting(name, generation, offer, required);
    greeting.described(expected);
    var ask = greeting.greet().orElseThrow();
    control.call(
        addresses,
        Functions.HELLO,
        HelloCodec.write(ask.hello()),
        deadline,
        new CallHandler() {
          @Override
          public void reply(byte[] attachment) {
            steward.execute(() -> end(peer, greeting.answered(ask.attempt(), attachment)));
          }

          @Override
          public void failed(Fault fault) {
            steward.execute(() -> end(peer, greeting.failed(ask.attempt(), fault)));
          }
        });
  }

  private void end(Peer peer, Optional<Outcome> outcome) {
    for (var waiting : underWay.remove(peer)) {
      waiting.accept(outcome.orElseThrow());
    }
  }
}
