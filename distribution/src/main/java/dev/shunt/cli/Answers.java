package dev.shunt.cli;

import dev.shunt.api.Delivery;
import dev.shunt.api.Engine;
import dev.shunt.api.Notification;
import dev.shunt.api.ReceivedNotification;
import dev.shunt.api.ShuntException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.Consumer;

/** The other side of {@link Questions}. */
final class Answers {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Engine engine;
  private final MemorySegment memory;
  private final Consumer<String> complaints;

  Answers(Engine engine, MemorySegment memory, Consumer<String> complaints) {
    this.engine = engine;
    this.memory = memory;
    this.complaints = complaints;
  }

  /** Answers a question; whether it was one. */
  boolean answer(ReceivedNotification received) throws InterruptedException {
    var name = received.notification().name();
    if (!name.equals(Questions.PING) && !name.equals(Questions.CHECKSUM)) {
      return false;
    }
    var words = received.notification().message().split(" ");
    if (words.length < 2) {
      complaints.accept("a question without a node to answer: " + name);
      return true;
    }
    var text = words[0] + (name.equals(Questions.PING) ? " ok pong" : checksum(words));
    try {
      var asker = engine.openSegment(words[1], PATIENCE);
      var answer = new Notification(Questions.ANSWER, text);
      if (!(engine.send(asker, answer, PATIENCE).await(PATIENCE) instanceof Delivery.Delivered)) {
        complaints.accept("the answer to " + words[1] + " may not have arrived");
      }
    } catch (ShuntException e) {
      complaints.accept("no answer to " + words[1] + ": " + e.getMessage());
    }
    return true;
  }

  private String checksum(String[] words) {
    try {
      long offset = Long.parseLong(words[2]);
      long length = Long.parseLong(words[3]);
      return " ok " + Payload.checksum(memory.asSlice(offset, length));
    } catch (IndexOutOfBoundsException | IllegalArgumentException _) {
      return " no such range; there are " + memory.byteSize() + " bytes from 0";
    }
  }
}
