package dev.shunt.runtime.transfer.core;

import dev.shunt.api.Outcome;

/** What a lane tells a batch, whose parts may be on several lanes. Called on the lane. */
public interface BatchSink {
  /** A request ended; once for each. */
  void requestEnded(int index, Outcome outcome);

  /** The same, for who wants to know how it went. */
  default void requestEnded(RequestState request, Outcome outcome) {
    requestEnded(request.index(), outcome);
  }

  /** Bytes have completed. */
  void progress(long bytes);

  /** All requests of a part have ended; once for each part. */
  void partDone();

  /** Nothing of a part touches local memory any more, or it was given up; once for each part. */
  void partSettled(boolean quarantined);
}
