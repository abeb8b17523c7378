package dev.shunt.runtime.control;

import java.util.LinkedHashMap;
import java.util.function.BiConsumer;

/**
 * Who comes and goes is told of a few times, and then once a minute, with a number. On the control
 * thread.
 */
final class Relapses {
  /** So often within a window each time is told. */
  static final int TOLD = 3;

  static final long WINDOW = 60_000_000_000L;

  /** Places that are followed; the one that went longest ago makes room. */
  static final int MOST = 4096;

  private final BiConsumer<Long, Runnable> later;
  private final Teller teller;
  private final LinkedHashMap<String, Spell> spells = new LinkedHashMap<>();

  /** Takes what was not told by itself. */
  interface Teller {
    /**
     * A window has ended.
     *
     * @param times how often it was lost in it, without a word
     * @param why it was lost the last time
     * @param lost whether it still is
     */
    void tell(String place, int times, String why, boolean lost, long now);
  }

  private static final class Spell {
    private long from;
    private int times;
    private int untold;
    private String why = "";
    private boolean lost;
    private boolean toldLost;
  }

  /**
   * Nobody went yet.
   *
   * @param later has something done at a time
   */
  Relapses(BiConsumer<Long, Runnable> later, Teller teller) {
    this.later = later;
    this.teller = teller;
  }

  /** A place is lost; answers whether that is to be told. */
  boolean lost(String place, String why, long now) {
    var spell = spells.get(place);
    if (spell != null && spell.untold == 0 && now - spell.from >= WINDOW) {
      spell = null;
    }
    if (spell == null) {
      spell = new Spell();
      spell.from = now;
    }
    spells.putLast(place, spell);
    if (spells.size() > MOST) {
      var eldest = spells.pollFirstEntry();
      tell(eldest.getKey(), eldest.getValue(), now);
    }
    spell.lost = true;
    spell.toldLost = spell.times < TOLD;
    if (spell.toldLost) {
      spell.times++;
    } else {
      spell.why = why;
      if (spell.untold++ == 0) {
        var end = Math.max(now, spell.from + WINDOW);
        later.accept(end, () -> ended(place, end));
      }
    }
    return spell.toldLost;
  }

  /** A place is there again; answers whether that is to be told. */
  boolean back(String place) {
    var spell = spells.get(place);
    if (spell == null) {
      return true;
    }
    spell.lost = false;
    var told = spell.toldLost;
    spell.toldLost = false;
    return told;
  }

  /** The next window is told of when it ends, if anything happens in it. */
  private void ended(String place, long now) {
    var spell = spells.get(place);
    if (spell != null && spell.untold > 0) {
      tell(place, spell, now);
      spell.from = now;
    }
  }

  private void tell(String place, Spell spell, long now) {
    if (spell.untold > 0) {
      teller.tell(place, spell.untold, spell.why, spell.lost, now);
      spell.untold = 0;
      spell.toldLost = spell.lost;
    }
  }

  /** Tells what is left to tell. */
  void flush(long now) {
    spells.forEach((place, spell) -> tell(place, spell, now));
  }
}
