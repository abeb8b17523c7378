package dev.shunt.runtime.control;

import org.slf4j.Logger;

/** Tells of what strangers do wrong: at once, and then no more than a line in ten seconds. */
final class Complaints {
  private static final long PAUSE = 10_000_000_000L;

  private final Logger log;
  private boolean told;
  private long last;
  private long untold;

  Complaints(Logger log) {
    this.log = log;
  }

  void tell(long now, String text) {
    if (told && now - last < PAUSE) {
      untold++;
      return;
    }
    if (untold > 0) {
      log.warn("{} ({} more like it in between)", text, untold);
    } else {
      log.warn("{}", text);
    }
    told = true;
    last = now;
    untold = 0;
  }
}
