package dev.shunt.arch.planted;

import org.junit.jupiter.api.Disabled;

@Disabled
final class SwitchedOffWhole {
  void two() {}
}
