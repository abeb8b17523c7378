package dev.shunt.runtime.transfer;

import java.util.concurrent.Executor;

/** A signal on its own: of an opening, of a notification, of a batch that settles. */
public final class FutureSignal<T> extends Happening<T> {
  private final Executor delivery;

  /**
   * A signal that has not happened.
   *
   * @param delivery runs callbacks; logs what they throw
   */
  public FutureSignal(Executor delivery) {
    this.delivery = delivery;
  }

  @Override
  Executor delivery() {
    return delivery;
  }

  @Override
  long spin() {
    return 0;
  }
}
