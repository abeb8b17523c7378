package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A default that is wrong only beside a value of the user's is told at that value. */
class BlameTest {
  /** It wants low to be below high, and of two more that they are no more than 10 together. */
  private static final class Compares extends Fixture.Moves {
    Compares() {
      super("tcp");
    }

    @Override
    public void validate(Config config) {
      if (config.getInt("a.low") >= config.getInt("high")) {
        throw new ConfigException.BadValue(
            config.getValue("high").origin(), "high", "right is more than low");
      }
      if (config.getInt("x") + config.getInt("y") > 10 && config.getInt("x") > 0) {
        throw new ConfigException.BadValue(config.getValue("z").origin(), "z", "is too much");
      }
    }
  }

  @Test
  void whatAPluginSaysOfItsDefaultIsToldAtTheValueThatDoesNotGoWithIt() {
    var problems = problems("shunt {\n transports.tcp {\n x = 3\n a.low = 9\n }\n}");
    assertEquals(
        List.of(
            "cluster.conf:4: shunt.transports.tcp.a.low: does not go with the default of"
                + " shunt.transports.tcp.high: right is more than low"),
        problems.stream().map(Problem::describe).toList());
  }

  @Test
  void whatTheUserGaveItselfIsToldWhereItStands() {
    var problems = problems("shunt.transports.tcp {\n a.low = 9\n high = 8\n}");
    assertEquals(
        List.of("cluster.conf:3: shunt.transports.tcp.high: right is more than low"),
        problems.stream().map(Problem::describe).toList());
    problems = problems("shunt.transports.tcp {\n rail-cooldown = 1h\n rail-max-cooldown = 5m }");
    assertEquals("cluster.conf:3", problems.getFirst().where());
  }

  @Test
  void whereMoreThanOneIsToBlameItIsToldAtTheFirstThatWouldPutItRight() {
    var problems = problems("shunt.transports.tcp {\n y = 9\n x = 8\n}");
    assertEquals(1, problems.size(), problems::toString);
    assertEquals("cluster.conf:", problems.getFirst().where().replaceFirst("\\d+$", ""));
  }

  @Test
  void whatIsSetInCodeIsToBlameToo() {
    var layers = new ConfigLayers(Map.of("peer-health.cooldown", "2m"), Fixture.parse(""));
    var problem = new Inspector(layers, Fixture.discovered()).inspect().problems().getFirst();
    assertEquals("set in code", problem.where());
    assertEquals("shunt.peer-health.cooldown", problem.path());
    assertTrue(problem.text().contains("right is 120000ms to"), problem::describe);
  }

  private static List<Problem> problems(String text) {
    var defaults = "a.low = 1\n high = 5\n x = 0\n y = 0\n z = 0";
    var found = Fixture.of(List.of(Fixture.transport(new Compares(), defaults)), List.of());
    return new Inspector(ConfigLayers.of(Fixture.parse(text)), found).inspect().problems();
  }
}
