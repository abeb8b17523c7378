package dev.shunt.runtime.descriptor;

import dev.shunt.runtime.json.JsonReader;

/** What every range of memory has to hold. */
final class Ranges {
  private Ranges() {}

  static void check(JsonReader json, long address, long length) {
    if (address > Long.MAX_VALUE - length) {
      throw json.malformed(
          length + " bytes at " + address + " reach beyond the end of all addresses");
    }
  }
}
