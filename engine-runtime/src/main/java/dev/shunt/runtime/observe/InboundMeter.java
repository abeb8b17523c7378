package dev.shunt.runtime.observe;

import dev.shunt.api.Operation;
import dev.shunt.api.spi.Regions.Refusal;
import java.util.concurrent.atomic.LongAdder;

/** What a transport lets in of peers' requests. Any lane. */
public final class InboundMeter {
  private final LongAdder[] requests = adders(Operation.values().length);
  private final LongAdder[] bytes = adders(Operation.values().length);
  private final LongAdder[] refused = adders(Refusal.values().length);

  /** Nothing counted yet. */
  public InboundMeter() {}

  private static LongAdder[] adders(int count) {
    var adders = new LongAdder[count];
    for (int i = 0; i < count; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  /** A peer asked for a range. */
  public void asked(Operation operation, long length, Refusal answer) {
    if (answer == Refusal.NONE) {
      requests[operation.ordinal()].increment();
      bytes[operation.ordinal()].add(length);
    } else {
      refused[answer.ordinal()].increment();
    }
  }

  /** Requests that were let in. */
  public long requests(Operation operation) {
    return requests[operation.ordinal()].sum();
  }

  /** Their bytes. */
  public long bytes(Operation operation) {
    return bytes[operation.ordinal()].sum();
  }

  /** Requests that were refused for that reason. */
  public long refused(Refusal reason) {
    return refused[reason.ordinal()].sum();
  }
}
