package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
  @Test
  void aVariableIsAValue() {
    var values =
        Environment.values(
            Map.of(
                "SHUNT__CONTROL__PORT", "7000",
                "SHUNT__CONTROL__BIND", "[\"10.0.0.9\"]",
                "SHUNT__TRANSPORTS__TCP__RAIL_MAX_COOLDOWN", "10m",
                "SHUNT_HOME", "/opt",
                "PATH", "/bin"));
    assertEquals(
        List.of("control.bind", "control.port", "transports.tcp.rail-max-cooldown"),
        List.copyOf(values.keySet()));
    var config = Fixture.loadWith(new LinkedHashMap<>(values), "").config();
    assertEquals(7000, config.control().port());
    assertEquals(List.of("10.0.0.9"), config.control().bind());
  }

  @Test
  void aMistakeInAVariableIsToldWithItsName() {
    var values = Environment.values(Map.of("SHUNT__CONTROL__PRT", "7000"));
    var refused =
        assertThrows(
            InvalidConfigurationException.class,
            () -> Fixture.loadWith(new LinkedHashMap<>(values), ""));
    assertEquals(
        "environment SHUNT__CONTROL__PRT: shunt.control.prt: unknown key;"
            + " did you mean shunt.control.port?",
        refused.getMessage());
  }

  @Test
  void allNamesAndValuesThatMeanNothingAreTold() {
    var refused =
        assertThrows(
            InvalidConfigurationException.class,
            () ->
                Environment.values(
                    Map.of("SHUNT__control__port", "1", "SHUNT__A__", "2", "SHUNT__A", "[")));
    assertEquals(3, refused.problems().size(), refused::getMessage);
  }
}
