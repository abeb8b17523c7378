package dev.shunt.transport.nof.testing;

/** Hears of each write that a target applies. */
@FunctionalInterface
public interface WriteHook {
  /** Bytes of the namespace have changed. */
  void applied(SoftTarget target, long offset, long length, long now);
}
