package dev.shunt.transport.rdma.testing;

/** How long a sender waits that found no receive, by the code that verbs have for it. */
final class RnrTimer {
  /** In units of 10 us, from code 1 on. */
  private static final int[] UNITS = {
    1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048,
    3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
  };

  /** Code 0 is the longest of all. */
  private static final int LONGEST = 65536;

  private RnrTimer() {}

  static long nanos(int code) {
    return 10_000L * (code == 0 ? LONGEST : UNITS[code - 1]);
  }
}
