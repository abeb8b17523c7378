package dev.shunt.runtime.descriptor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.shunt.runtime.descriptor.RailMatrix.Ranks;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What follows from where rails are. */
class RailMatrixTest {
  private static final List<String> RAILS = List.of("mlx5_0", "mlx5_1", "rxe0");

  @Test
  void aRailIsNearToTheMemoryOfItsOwnNodeAndOneThatIsNowhereToAll() {
    var matrix = RailMatrix.near(RAILS, List.of("cpu:0", "cpu:1", ""));
    assertEquals(new Ranks(List.of("mlx5_0", "rxe0"), List.of("mlx5_1")), matrix.of("cpu:0"));
    assertEquals(new Ranks(List.of("mlx5_1", "rxe0"), List.of("mlx5_0")), matrix.of("cpu:1"));
    assertEquals(new Ranks(RAILS, List.of()), matrix.of("cpu:7"));
    assertEquals(new Ranks(RAILS, List.of()), matrix.of("*"));
  }

  @Test
  void railsAtOnePlaceAreAlike() {
    assertSame(RailMatrix.NONE, RailMatrix.near(RAILS, List.of("cpu:1", "cpu:1", "")));
    assertSame(RailMatrix.NONE, RailMatrix.near(RAILS, List.of("", "", "")));
    assertSame(RailMatrix.NONE, RailMatrix.near(List.of(), List.of()));
  }
}
