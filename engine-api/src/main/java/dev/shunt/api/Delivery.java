package dev.shunt.api;

/** What became of a notification. */
public sealed interface Delivery {
  /** The peer has taken it. */
  record Delivered() implements Delivery {}

  /** It did not arrive, and will not. */
  record NotDelivered(Failure failure) implements Delivery {}

  /** It may have arrived, or still arrive; it was not sent again. */
  record Unknown(Failure failure) implements Delivery {}
}
