package dev.shunt.transport.rdma.core;

import dev.shunt.api.spi.NotifyFrame;
import java.util.Arrays;

/**
 * The frames that a port has sent, each in a slot of its own, and in which order they were. Grows,
 * up to a bound, as registered memory is added. A slot is free again when its work has come back;
 * its frame may be given up before that.
 */
public final class FrameSlots {
  private final int bound;
  private NotifyFrame[] frames = new NotifyFrame[0];
  private boolean[] taken = new boolean[0];
  private int[] free = new int[0];
  private int frees;
  private final int[] order;
  private int oldest;
  private int pending;

  /** One that holds nothing yet, and so many slots at most. */
  public FrameSlots(int bound) {
    this.bound = bound;
    order = new int[bound];
  }

  /** How many slots there are. */
  public int size() {
    return frames.length;
  }

  /** How many more there may be. */
  public int growth() {
    return bound - frames.length;
  }

  /** How many are free. */
  public int room() {
    return frees;
  }

  /** How many hold work that has not come back. */
  public int taken() {
    return frames.length - frees;
  }

  /** Adds slots behind those that there are. */
  public void add(int slots) {
    int before = frames.length;
    frames = Arrays.copyOf(frames, before + slots);
    taken = Arrays.copyOf(taken, before + slots);
    free = Arrays.copyOf(free, before + slots);
    for (int slot = before + slots - 1; slot >= before; slot--) {
      free[frees++] = slot;
    }
  }

  /** Takes a slot; there must be room. */
  public int take(NotifyFrame frame) {
    int slot = free[--frees];
    frames[slot] = frame;
    taken[slot] = true;
    order[(oldest + pending++) % bound] = slot;
    return slot;
  }

  /** Whether a slot's work is under way. */
  public boolean holds(int slot) {
    return slot >= 0 && slot < taken.length && taken[slot];
  }

  /** The work of a slot that is taken came back: its frame, or null where that was given up. */
  public NotifyFrame release(int slot) {
    var frame = frames[slot];
    frames[slot] = null;
    taken[slot] = false;
    free[frees++] = slot;
    if (frame != null) {
      forget(slot);
    }
    return frame;
  }

  /** Work of one QP comes back in order, so this finds the oldest at once. */
  private void forget(int slot) {
    int at = 0;
    while (order[(oldest + at) % bound] != slot) {
      at++;
    }
    for (; at > 0; at--) {
      order[(oldest + at) % bound] = order[(oldest + at - 1) % bound];
    }
    oldest = (oldest + 1) % bound;
    pending--;
  }

  /**
   * Gives up the oldest frame that is under way, or null if there is none; its slot stays taken.
   */
  public NotifyFrame giveUpOldest() {
    if (pending == 0) {
      return null;
    }
    int slot = order[oldest];
    oldest = (oldest + 1) % bound;
    pending--;
    var frame = frames[slot];
    frames[slot] = null;
    return frame;
  }

  /** How many frames are under way that were not given up. */
  public int pending() {
    return pending;
  }
}
