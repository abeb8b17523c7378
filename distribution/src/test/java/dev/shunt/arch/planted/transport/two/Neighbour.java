package dev.shunt.arch.planted.transport.two;

import dev.shunt.arch.planted.transport.one.Nosy;

final class Neighbour {
  Nosy nosy() {
    return new Nosy();
  }
}
