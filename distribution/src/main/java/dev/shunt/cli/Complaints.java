package dev.shunt.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a second process writes to its standard error. Until it is ready all of it is held back: its
 * end is then told once, by whoever waits. Any thread.
 */
final class Complaints {
  private static final int MOST = 256;

  private final String prefix;
  private final Consumer<String> onward;
  private final List<String> held = new ArrayList<>();
  private boolean ready;

  /**
   * @param prefix of the lines in which it says why it ends
   * @param onward where its lines go
   */
  Complaints(String prefix, Consumer<String> onward) {
    this.prefix = prefix;
    this.onward = onward;
  }

  /** It wrote a line. */
  synchronized void accept(String line) {
    if (ready) {
      onward.accept(line);
    } else {
      held.add(line);
      if (held.size() > MOST) {
        onward.accept(held.removeFirst());
      }
    }
  }

  /** It serves: whatever it says is passed on, and what it said before. */
  synchronized void ready() {
    ready = true;
    held.forEach(onward);
    held.clear();
  }

  /** It ended before that: its last word, without the prefix; the rest is passed on. */
  synchronized Optional<String> reason() {
    var last = held.stream().filter(line -> line.startsWith(prefix)).reduce((_, b) -> b);
    last.ifPresent(held::remove);
    ready();
    return last.map(line -> line.substring(prefix.length()));
  }
}
