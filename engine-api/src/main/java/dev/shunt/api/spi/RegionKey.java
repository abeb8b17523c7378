package dev.shunt.api.spi;

/** What {@link Transport#register} gave: memory as one rail knows it. */
public interface RegionKey {
  /**
   * What a remote must show to reach the memory through this rail; published in the descriptor. It
   * is another one after what the transport keeps for the rail was made anew ({@link
   * Transport#check}): {@link RailListener#changed} tells. Any thread.
   */
  long remoteKey();
}
