package dev.shunt.api.spi;

import java.lang.foreign.MemorySegment;

/**
 * One notification, as bytes. The runtime owns these objects: a port keeps one from {@link
 * NotifyPort#post} until it reported it, and no longer. Its content does not change meanwhile.
 */
public interface NotifyFrame {
  /** All of it, and no more. Need not be registered, and may be on the heap: a port copies it. */
  MemorySegment bytes();

  /**
   * How long it may wait for a slot, on the clock of {@link TransportContext#now()}. Once it is
   * sent the runtime watches its deadline: a port that does not get on is retired.
   */
  long slotDeadline();
}
