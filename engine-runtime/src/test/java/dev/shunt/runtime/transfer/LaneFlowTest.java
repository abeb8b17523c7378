package dev.shunt.runtime.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.runtime.transfer.core.RequestState;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LaneFlowTest {
  private static final class Other implements Detour {
    @Override
    public int left(RequestState request) {
      return 1;
    }

    @Override
    public boolean good() {
      return true;
    }

    @Override
    public Optional<Turn> next(RequestState request) {
      return Optional.empty();
    }
  }

  @Test
  void itIsToldThatAnotherTransportGoesOnOnlyWhereThereIsOne() {
    assertEquals("what is for it goes by another transport", LaneFlow.goesOn(new Other()));
    assertEquals("no other transport to it is known to be of use", LaneFlow.goesOn(Detour.NONE));
  }
}
