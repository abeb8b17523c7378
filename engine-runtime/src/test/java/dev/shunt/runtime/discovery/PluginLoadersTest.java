package dev.shunt.runtime.discovery;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

/** Discovery with the runtime on the class path: a class loader stands for the layer. */
class PluginLoadersTest extends DiscoveryChecks {
  @Test
  void theRuntimeIsOnTheClassPathHere() {
    assertFalse(Discovery.class.getModule().isNamed());
  }
}
