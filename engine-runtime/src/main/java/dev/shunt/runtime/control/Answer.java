package dev.shunt.runtime.control;

import dev.shunt.api.FailureCode;
import dev.shunt.runtime.control.core.Exchange;
import java.util.concurrent.atomic.AtomicBoolean;

/** Takes the answer to one request to its connection. */
final class Answer implements ControlReply {
  private final ControlService service;
  private final Inbound from;
  private final Exchange exchange;
  private final Thread control = Thread.currentThread();
  private final AtomicBoolean answered = new AtomicBoolean();
  private boolean within = true;

  Answer(ControlService service, Inbound from, Exchange exchange) {
    this.service = service;
    this.from = from;
    this.exchange = exchange;
  }

  @Override
  public void send(byte[] attachment) {
    end(now -> from.answer(exchange, attachment, now));
  }

  @Override
  public void fail(FailureCode code, String text) {
    end(now -> from.refuse(exchange, code, text, now));
  }

  /** The handler has returned: from now on an answer comes as a task. */
  void left() {
    within = false;
  }

  /** A second answer is nobody's: the first has gone. */
  private void end(java.util.function.LongConsumer answer) {
    if (!answered.compareAndSet(false, true)) {
      return;
    }
    if (Thread.currentThread() == control && within) {
      answer.accept(service.now());
      return;
    }
    // Where the service has ended there is no connection left to answer on.
    service.execute(
        () -> {
          var now = service.now();
          answer.accept(now);
          from.settle(now);
        });
  }
}
