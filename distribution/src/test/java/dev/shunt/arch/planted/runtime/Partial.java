package dev.shunt.arch.planted.runtime;

import dev.shunt.arch.planted.transport.one.Nosy;

public final class Partial {
  Nosy nosy() {
    return new Nosy();
  }
}
