package dev.shunt.api.spi;

/**
 * What the two ends of a path share. Immutable. Each {@link ConnectRequest} asks for a link of its
 * own, with one channel; what connections lie beneath, and whether links share them, is the
 * transport's affair.
 */
public interface Link {
  /** Its name on both sides: that of the request, {@link ConnectRequest#id}. */
  LinkId id();

  /** To whom. */
  Remote remote();

  /** Our rail. */
  Rail local();

  /** The remote's rail. */
  RemoteRail remoteRail();
}
