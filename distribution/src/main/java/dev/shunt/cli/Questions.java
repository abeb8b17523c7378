package dev.shunt.cli;

import dev.shunt.api.Delivery;
import dev.shunt.api.Engine;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Notification;
import dev.shunt.api.Segment;
import dev.shunt.api.ShuntException;
import java.time.Duration;

/**
 * Asks a node that runs {@code shunt serve --answer}, by notification. A question names the node to
 * answer, since the wire does not say who sent it:
 *
 * <pre>
 * question: name "shunt.cli.ping",      message "NUMBER NODE"
 *           name "shunt.cli.checksum",  message "NUMBER NODE OFFSET LENGTH"
 * answer:   name "shunt.cli.answer",    message "NUMBER ok TEXT" or "NUMBER no REASON"
 * </pre>
 *
 * <p>One question at a time; nobody else may take from the engine's inbox meanwhile.
 */
final class Questions {
  static final String PING = "shunt.cli.ping";
  static final String CHECKSUM = "shunt.cli.checksum";
  static final String ANSWER = "shunt.cli.answer";

  private final Engine engine;
  private final Segment peer;
  private long number;

  Questions(Engine engine, Segment peer) {
    this.engine = engine;
    this.peer = peer;
  }

  /** How long a notification takes there and back, in nanoseconds. */
  long ping(Deadline deadline) throws InterruptedException {
    long start = System.nanoTime();
    ask(PING, "", deadline);
    return System.nanoTime() - start;
  }

  /** The CRC32C of what the peer's first buffer holds there, computed by the peer. */
  String checksum(long offset, long length, Deadline deadline) throws InterruptedException {
    return ask(CHECKSUM, " " + offset + " " + length, deadline);
  }

  private String ask(String name, String arguments, Deadline deadline) throws InterruptedException {
    var mine = Long.toString(++number);
    var question = new Notification(name, mine + " " + engine.name() + arguments);
    Duration left = deadline.left("a question to " + peer.name());
    switch (engine.send(peer, question, left).await(left)) {
      case Delivery.Delivered _ -> {}
      case Delivery.NotDelivered(var failure) ->
          throw new ShuntException(failure.code(), failure.describe());
      case Delivery.Unknown(var failure) ->
          throw new ShuntException(failure.code(), failure.describe());
    }
    while (true) {
      var received = engine.inbox().receive(deadline.left("the answer of " + peer.name()));
      if (received.isPresent() && received.get().notification().name().equals(ANSWER)) {
        var parts = received.get().notification().message().split(" ", 3);
        if (parts.length == 3 && parts[0].equals(mine)) {
          return answer(parts[1], parts[2]);
        }
      }
    }
  }

  private String answer(String verdict, String text) {
    if (!verdict.equals("ok")) {
      throw new ShuntException(FailureCode.REJECTED, peer.name() + " answers: " + text);
    }
    return text;
  }
}
