package dev.shunt.runtime.observe;

/**
 * The event of the requests of one submission: made where they are submitted, written as each ends.
 * One object serves all of them, since they begin at the same time and end on one lane.
 */
public final class TransferTrace {
  private final TransferEvent event = new TransferEvent();

  TransferTrace(String node, String peer, String transport) {
    event.node = node;
    event.peer = peer;
    event.transport = transport;
    event.begin();
  }

  /**
   * A request ended.
   *
   * @param slices how many pieces were cut of it
   * @param attempts how often pieces of it were posted
   * @param code the failure's, or empty
   * @param queueTime nanoseconds until the first was posted
   * @param wireTime nanoseconds from then on
   */
  public void ended(
      boolean write,
      long bytes,
      int slices,
      int attempts,
      String outcome,
      String code,
      long queueTime,
      long wireTime) {
    event.end();
    if (event.shouldCommit()) {
      event.operation = write ? "WRITE" : "READ";
      event.bytes = bytes;
      event.slices = slices;
      event.attempts = attempts;
      event.outcome = outcome;
      event.code = code;
      event.queueTime = queueTime;
      event.wireTime = wireTime;
      event.commit();
    }
  }
}
