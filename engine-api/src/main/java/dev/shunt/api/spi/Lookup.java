package dev.shunt.api.spi;

/** What came of looking a descriptor up. */
public sealed interface Lookup {
  /** The descriptor, a JSON text: unchecked input. */
  record Found(String descriptor) implements Lookup {}

  /** Nobody of that name. */
  record Unknown(String text) implements Lookup {}

  /** The registry, or the node, did not answer. */
  record Failed(Fault fault) implements Lookup {}
}
