package dev.shunt.arch.planted;

import org.junit.jupiter.api.Disabled;

final class SwitchedOff {
  @Disabled
  void one() {}
}
