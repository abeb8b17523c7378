package dev.shunt.transport.nof.testing;

/**
 * Something that goes wrong.
 *
 * @param stage when
 * @param queue on which queue; -1 for any
 * @param skip how often it goes well before
 * @param times how often it goes wrong
 * @param action what goes wrong
 * @param value a status, or a reason
 */
public record Rule(Stage stage, int queue, int skip, int times, Action action, int value) {
  /** Always, on every queue. */
  public static Rule always(Stage stage, Action action) {
    return new Rule(stage, -1, 0, Integer.MAX_VALUE, action, 0);
  }

  /** The first time on a queue. */
  public static Rule once(Stage stage, int queue, Action action) {
    return new Rule(stage, queue, 0, 1, action, 0);
  }

  /** With another value. */
  public Rule value(int other) {
    return new Rule(stage, queue, skip, times, action, other);
  }

  /** After it went well so often. */
  public Rule after(int good) {
    return new Rule(stage, queue, good, times, action, value);
  }

  /** So often. */
  public Rule times(int wrong) {
    return new Rule(stage, queue, skip, wrong, action, value);
  }
}
