package dev.shunt.api.spi;

/** The version of this service provider interface. */
public final class Spi {
  /**
   * The version that {@link Provider#spiVersion()} answers with. It changes when a plug-in that was
   * built for the old one would misbehave; a provider of another version is listed as failed.
   */
  public static final int VERSION = 1;

  private Spi() {}
}
