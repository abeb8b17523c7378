package dev.shunt.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.runtime.sim.Seeds.Kind;
import org.junit.jupiter.api.Test;

/** Each thing that is broken on purpose is noticed, and by the check that is there for it. */
class WatchBitesTest {
  private static final int SEEDS = 200;

  private final Seeds seeds = new Seeds();

  private void noticed(Kind kind, Weakness weakness, String by) {
    var heard = new StringBuilder();
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        seeds.run(kind, seed, cluster -> cluster.weaken(weakness));
      } catch (AssertionError failure) {
        heard.append(failure.getMessage()).append('\n');
        if (failure.getMessage().contains(by)) {
          return;
        }
      } catch (RuntimeException broken) {
        // What a broken part does to what stands on it is not the matter here.
        heard.append(broken).append('\n');
      }
    }
    assertTrue(heard.toString().contains(by), heard.toString());
  }

  @Test
  void lateBytesAreNoticed() {
    noticed(Kind.TCP, Weakness.FENCES_NOT_SENT, "no write is open");
  }

  @Test
  void lateBytesOfAFabricAreNoticed() {
    noticed(Kind.RDMA, Weakness.EFFECTS_DENIED, "no write is open");
  }

  @Test
  void aCompletionThatIsNoneIsNoticed() {
    noticed(Kind.TCP, Weakness.COMPLETED_EARLY, "its bytes are not there");
    noticed(Kind.RDMA, Weakness.COMPLETED_EARLY, "its bytes are not there");
    noticed(Kind.NOF, Weakness.COMPLETED_EARLY, "its bytes are not there");
  }

  @Test
  void aSecondReportIsNoticed() {
    noticed(Kind.TCP, Weakness.REPORTED_TWICE, "reported that is not posted");
  }

  @Test
  void aSliceThatIsForgottenIsNoticed() {
    noticed(Kind.TCP, Weakness.SLICE_FORGOTTEN, "with a slice that it never reported");
  }

  @Test
  void anOldKeyThatOpensMemoryIsNoticed() {
    noticed(Kind.TCP, Weakness.KEYS_NOT_CHECKED, "by a key that is none now");
  }

  @Test
  void aPathThatPaysForOurOwnRailIsNoticed() {
    noticed(Kind.RDMA, Weakness.OWN_FAULTS_CHARGED, "by no fault of");
  }

  @Test
  void aRailThatPaysForAnotherIsNoticed() {
    noticed(Kind.TCP, Weakness.OTHERS_FAULTS_OURS, "of tcp is inactive");
    noticed(Kind.RDMA, Weakness.OTHERS_FAULTS_OURS, "of rdma is inactive");
  }

  @Test
  void aRailThatIsOutOfUseAndCarriesASliceIsNoticed() {
    noticed(Kind.TCP, Weakness.INACTIVE_RAILS_USED, "whose rail is out of use");
    noticed(Kind.RDMA, Weakness.INACTIVE_RAILS_USED, "whose rail is out of use");
  }

  @Test
  void aRailThatIsBackBeforeItsCheckIsNoticed() {
    noticed(Kind.TCP, Weakness.RAILS_BACK_AT_ONCE, "before it passed a check");
    noticed(Kind.RDMA, Weakness.RAILS_BACK_AT_ONCE, "before it passed a check");
  }

  @Test
  void aPathThatShouldRestIsNoticed() {
    noticed(Kind.TCP, Weakness.PAUSES_NOT_KEPT, "which rests");
  }
}
