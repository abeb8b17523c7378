package dev.shunt.arch.planted.transport.one;

import dev.shunt.arch.planted.runtime.Partial;

public final class Nosy {
  Partial partial() {
    return new Partial();
  }
}
