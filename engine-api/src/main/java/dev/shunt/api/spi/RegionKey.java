package dev.shunt.api.spi;

/** What {@link Transport#register} gave: memory as one rail knows it. */
public interface RegionKey {
  /** What a remote must show to reach the memory through this rail; published in the descriptor. */
  long remoteKey();
}
