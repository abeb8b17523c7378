package dev.shunt.api.contract;

import org.opentest4j.TestAbortedException;

/**
 * What every transport keeps. A transport's test extends this class and gives a kit; see the
 * package's documentation.
 */
public abstract class TransportContract
    implements DataContract, RefusalContract, FailureContract, FenceContract, LifeContract {
  /** For subclasses. */
  protected TransportContract() {}

  /**
   * A new kit: new fabric, new stage.
   *
   * @param seed decides whatever chance decides; the same seed gives the same run in a virtual
   *     world
   */
  protected abstract ContractKit kit(long seed);

  /** How many seeds each test is played with in a virtual world. */
  protected int seeds() {
    return 10;
  }

  @Override
  public final void play(Scene scene) {
    var chosen = Long.getLong("contract.seed");
    if (chosen != null) {
      play(scene, kit(chosen), chosen);
      return;
    }
    var first = kit(1);
    play(scene, first, 1);
    int seeds = first.stage().virtual() ? seeds() : 1;
    for (long seed = 2; seed <= seeds; seed++) {
      play(scene, kit(seed), seed);
    }
  }

  private void play(Scene scene, ContractKit kit, long seed) {
    ContractBench bench = null;
    try {
      bench = new ContractBench(kit, seed);
      scene.on(bench);
      bench.close();
    } catch (TestAbortedException skipped) {
      throw skipped;
    } catch (Exception | AssertionError failure) {
      throw new AssertionError(
          "seed " + seed + " (-Dcontract.seed=" + seed + "): " + failure.getMessage(), failure);
    } finally {
      if (bench != null) {
        bench.free();
      }
    }
  }
}
