package dev.shunt.runtime.transfer.core;

/**
 * Which of the remote's rails are ways to the same place: they share what they lead over, so taking
 * turns among them gains nothing for one slice at a time; but the one that was used last is warm,
 * on both sides.
 */
final class SamePlace {
  private final int[] places;

  /**
   * Takes over.
   *
   * @param places for each of the remote's rails a number; the same one for the same place
   */
  SamePlace(int[] places) {
    this.places = places;
  }

  /** Of the ways from a path's rail to its place the first that carries nothing, or that path. */
  PathSlot atRest(PathSlot[] slots, int among, PathSlot path, long now) {
    for (int i = 0; i < among; i++) {
      var slot = slots[i];
      if (slot.posted == 0
          && slot.localRail == path.localRail
          && places[slot.remoteRail] == places[path.remoteRail]
          && slot.ready()
          && !slot.paused(now)) {
        return slot;
      }
    }
    return path;
  }
}
