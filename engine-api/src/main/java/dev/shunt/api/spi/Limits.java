package dev.shunt.api.spi;

/**
 * What a transport can take, and what it promises.
 *
 * @param preferredSlice the bytes of a slice that suit it
 * @param maxSlice the most bytes that a slice may have
 * @param depth how many slices one channel holds at once, at most
 * @param reads whether it can read remote memory
 * @param serves whether this node can be the remote of others: it listens, and has keys to publish
 * @param targets whether it opens targets of its own ({@link Transport#owns})
 * @param fencing how a write's old attempt is made harmless
 */
public record Limits(
    long preferredSlice,
    long maxSlice,
    int depth,
    boolean reads,
    boolean serves,
    boolean targets,
    Fencing fencing) {
  /** Checks the numbers. */
  public Limits {
    if (preferredSlice < 1 || maxSlice < preferredSlice || depth < 1) {
      throw new IllegalArgumentException(
          "preferred slice "
              + preferredSlice
              + ", largest slice "
              + maxSlice
              + ", depth "
              + depth
              + ": all are 1 at least, and the largest slice no smaller than the preferred");
    }
  }

  /** How the old attempt of a write that was redone is kept from landing late. */
  public enum Fencing {
    /**
     * {@link Channel#fence} on another channel to the same remote, ahead of what is posted next.
     */
    ORDERED,
    /** By the remote's word over the control plane, and {@link Transport#fence} there. */
    BY_WORD,
    /**
     * By patience alone: nobody there can be asked, and what was sent may still be applied. A redo
     * counts once {@link FailoverPolicy#unfencedGrace()} has passed since the old attempt ended.
     */
    GRACE,
    /** Not in bounded time: a write whose end is unknown stays so. */
    NONE
  }
}
