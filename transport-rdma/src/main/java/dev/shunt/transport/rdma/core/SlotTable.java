package dev.shunt.transport.rdma.core;

import dev.shunt.api.spi.Slice;

/**
 * The slices that a channel has posted: which slot each sits in, and on which of the channel's QPs.
 * A slot's number goes into the work request's id and comes back with the completion. Allocates
 * nothing after its making.
 */
public final class SlotTable {
  private final Slice[] slices;
  private final int[] qps;
  private final int[] free;
  private int frees;

  /** A table of so many slots, all free. */
  public SlotTable(int slots) {
    slices = new Slice[slots];
    qps = new int[slots];
    free = new int[slots];
    for (int i = slots - 1; i >= 0; i--) {
      free[frees++] = i;
    }
  }

  /** How many slots there are. */
  public int size() {
    return slices.length;
  }

  /** How many are free. */
  public int room() {
    return frees;
  }

  /** How many are taken. */
  public int taken() {
    return slices.length - frees;
  }

  /** Takes a slot; there must be room. */
  public int take(Slice slice, int qp) {
    int slot = free[--frees];
    slices[slot] = slice;
    qps[slot] = qp;
    return slot;
  }

  /** The slice in a slot, or null where the slot is free or there is no such slot. */
  public Slice slice(int slot) {
    return slot >= 0 && slot < slices.length ? slices[slot] : null;
  }

  /** The QP that the slice in a slot was posted on. */
  public int qp(int slot) {
    return qps[slot];
  }

  /** Frees a slot that is taken. */
  public void release(int slot) {
    if (slices[slot] == null) {
      throw new IllegalStateException("slot " + slot + " is free already");
    }
    slices[slot] = null;
    free[frees++] = slot;
  }
}
