package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import dev.shunt.runtime.descriptor.RailMatrix;
import dev.shunt.runtime.descriptor.RailMatrix.Ranks;
import dev.shunt.runtime.discovery.Discovery;
import dev.shunt.runtime.discovery.Given;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyConfigTest {
  private static List<Problem> problems(String topology) {
    var user = ConfigFactory.parseString("shunt.transports.tcp.topology { " + topology + " }");
    var found = Discovery.find(Optional.empty(), Set.of(), Given.NONE);
    return new Inspector(ConfigLayers.of(user), found).inspect().problems();
  }

  @Test
  void aMatrixIsReadWithAllItsLocations() {
    var text = "\"cpu:0\": [[a], [b, c]], \"*\": [[], [a]]";
    assertEquals(List.of(), problems(text));
    var matrix = TopologyConfig.read(ConfigFactory.parseString("topology { " + text + " }"));
    var near = new Ranks(List.of("a"), List.of("b", "c"));
    var other = new Ranks(List.of(), List.of("a"));
    assertEquals(new RailMatrix(Map.of("cpu:0", near, "*", other)), matrix);
    assertEquals(near, matrix.of("cpu:0"));
    assertEquals(other, matrix.of("cuda:7"));
    assertEquals(null, RailMatrix.NONE.of("cpu:0"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'\"cpu:0\": [[a]]'; has 1 lists",
        "'\"cpu:0\": [[a], [b], [c]]'; has 3 lists",
        "'\"cpu:0\": []'; has 0 lists",
        "'\"cpu:0\": a'; has no list",
        "'\"cpu:0\": [a, b]'; has what is no list of rails",
        "'\"cpu:0\": [[a], [{b: 1}]]'; has what is no name",
        "'\"cpu:0\": [[a], [a]]'; has rail a twice",
        "'\" \": [[a], []]'; is no location"
      })
  void whatIsNoMatrixIsRefusedWithWhatWouldBeRight(String text, String why) {
    var problems = problems(text);
    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.getFirst().toString().contains(why), problems::toString);
    assertTrue(
        problems.getFirst().toString().contains("transports.tcp.topology"), problems::toString);
  }

  @Test
  void aNameThatIsNoRailsIsToldWithTheNearest() {
    var matrix =
        new RailMatrix(
            Map.of("cpu:0", new Ranks(List.of("mlx5_0", "mlx5_7"), List.of("mlx4_1", "mlx5_7"))));
    var texts = TopologyConfig.unknown(matrix, List.of("mlx5_0", "mlx5_1"));
    assertEquals(2, texts.size(), "each once");
    assertTrue(texts.getFirst().contains("mlx5_7"), texts::toString);
    assertTrue(texts.getLast().contains("did you mean mlx5_1?"), texts::toString);
    assertTrue(
        TopologyConfig.unknown(matrix, List.of("left")).getFirst().contains("there are left"));
  }
}
