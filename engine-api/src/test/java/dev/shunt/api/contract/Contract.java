package dev.shunt.api.contract;

/** How the parts of the suite get at what they test. Not for implementing. */
interface Contract {
  /** Long enough for anything that happens at all, on either kind of stage. */
  long LIMIT = 30_000_000_000L;

  /** A second. */
  long SECOND = 1_000_000_000L;

  /** A millisecond. */
  long MILLI = 1_000_000L;

  /** Plays a test once for each seed, each time on a bench of its own. */
  void play(Scene scene);

  /** What a test does. */
  @FunctionalInterface
  interface Scene {
    /** Runs it. */
    void on(ContractBench bench) throws Exception;
  }
}
