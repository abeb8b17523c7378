package dev.shunt.arch.planted;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.function.BiFunction;

@SuppressWarnings("restricted")
final class Libraries {
  private static final String NAME = "libplanted.so";

  SymbolLookup global() {
    return SymbolLookup.libraryLookup(NAME, Arena.global());
  }

  SymbolLookup shared() {
    return SymbolLookup.libraryLookup(NAME, Arena.ofShared());
  }

  SymbolLookup confined() {
    return SymbolLookup.libraryLookup(NAME, Arena.ofConfined());
  }

  SymbolLookup automatic() {
    return SymbolLookup.libraryLookup(NAME, Arena.ofAuto());
  }

  SymbolLookup given(Arena arena) {
    return SymbolLookup.libraryLookup(NAME, arena);
  }

  SymbolLookup mixed() {
    Arena arena = Arena.global().scope().isAlive() ? Arena.ofAuto() : Arena.global();
    return SymbolLookup.libraryLookup(NAME, arena);
  }

  BiFunction<String, Arena, SymbolLookup> reference() {
    return SymbolLookup::libraryLookup;
  }
}
