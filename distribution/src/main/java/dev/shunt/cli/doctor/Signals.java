package dev.shunt.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which signals this process has handlers for. A native library may bring its own, unasked. */
final class Signals {
  private static final List<String> NAMES =
      List.of(
          "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
          "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
          "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  private final Kernel kernel;

  Signals(Kernel kernel) {
    this.kernel = kernel;
  }

  /** A bit for each signal that is caught, the lowest for number 1. */
  Optional<Long> caught() {
    return kernel.status("SigCgt").map(text -> Long.parseUnsignedLong(text, 16));
  }

  /** What changed between two looks. */
  static Finding compare(Optional<Long> before, Optional<Long> after) {
    if (before.isEmpty() || after.isEmpty()) {
      return Finding.ok("signals", "who handles them is not known");
    }
    long come = after.get() & ~before.get();
    long gone = before.get() & ~after.get();
    if (come == 0 && gone == 0) {
      return Finding.ok("signals", "the same handlers before and after the plug-ins were loaded");
    }
    return Finding.warn(
        "signals",
        "handlers changed while the plug-ins were loaded:"
            + (come == 0 ? "" : " new for " + names(come))
            + (gone == 0 ? "" : " gone for " + names(gone)),
        "a native library set them; preload libjsig.so of the JDK, or tell the library to leave"
            + " signals alone");
  }

  static String names(long mask) {
    var names = new ArrayList<String>();
    for (int i = 0; i < Long.SIZE; i++) {
      if ((mask >>> i & 1) != 0) {
        names.add(i < NAMES.size() ? NAMES.get(i) : "number " + (i + 1));
      }
    }
    return String.join(", ", names);
  }
}
