package dev.shunt.api.spi;

/** What the two ends of a path share. Immutable; one link may have a channel on several lanes. */
public interface Link {
  /** Its name on both sides. */
  LinkId id();

  /** To whom. */
  Remote remote();

  /** Our rail. */
  Rail local();

  /** The remote's rail. */
  RemoteRail remoteRail();
}
