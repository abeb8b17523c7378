package dev.shunt.runtime.discovery;

/** The runtime's own place among modules. */
final class Modules {
  private Modules() {}

  /** Whether the runtime is a module here, and not on the class path. */
  static boolean here() {
    return Discovery.class.getModule().isNamed();
  }

  /** The layer of the runtime, over which plug-ins have theirs. */
  static ModuleLayer layer() {
    var layer = Discovery.class.getModule().getLayer();
    return layer == null ? ModuleLayer.boot() : layer;
  }
}
