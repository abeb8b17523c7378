package dev.shunt.api.sim;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Tells whoever listens of each write into memory: who wrote what, and when. */
public final class MemoryLog {
  private final List<Observer> observers = new ArrayList<>();

  MemoryLog() {}

  /** Tells it of each write from now on. */
  public void add(Observer observer) {
    observers.add(observer);
  }

  /** A fabric has written into memory of a process. */
  public void wrote(String who, MemorySegment into, long offset, long length, long now) {
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).wrote(who, into, offset, length, now);
    }
  }

  /** Hears of writes. */
  public interface Observer {
    /**
     * Bytes have been written.
     *
     * @param who the wire, queue pair, ... that they came by
     * @param into the segment as the writer was given it: compare by {@code ==} or by address
     */
    void wrote(String who, MemorySegment into, long offset, long length, long now);
  }
}
