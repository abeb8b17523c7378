package dev.shunt.transport.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValueType;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A value that cannot be is told by its whole key, where it stands, and with what would be right.
 */
class RdmaSettingsTest {
  private static final Config DEFAULTS =
      ConfigFactory.defaultReference(RdmaSettings.class.getClassLoader())
          .getConfig("shunt.transports.rdma");

  private static Config with(String key, String value) {
    var from = ConfigParseOptions.defaults().setOriginDescription("its own file");
    return ConfigFactory.parseString(key + " = " + value, from).withFallback(DEFAULTS);
  }

  static List<String> ofSections() {
    return DEFAULTS.entrySet().stream()
        .filter(entry -> entry.getKey().contains("."))
        .filter(entry -> entry.getValue().valueType() != ConfigValueType.BOOLEAN)
        .map(entry -> entry.getKey())
        .sorted()
        .toList();
  }

  @Test
  void theDefaultsAreValid() {
    RdmaSettings.of(DEFAULTS);
  }

  @ParameterizedTest
  @MethodSource("ofSections")
  void theKeyIsToldWhole(String key) {
    var wrong = with(key, key.endsWith("vendor-errors") ? "[nonsense]" : "-77");
    var told = assertThrows(ConfigException.class, () -> RdmaSettings.of(wrong)).getMessage();
    assertTrue(told.contains("'" + key + "'"), told);
    assertTrue(told.startsWith("its own file: 1"), told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "endpoint.path-mtu | 1500 | 1500 bytes; it is 256, 512, 1024, 2048 or 4096",
        "endpoint.num-qps | 65 | 65; it lies between 1 and 64",
        "endpoint.drain-timeout | 2h | 7200s; it is above 0, and 3600s at most",
        "device.idle-park | 0us | 0s; it is above 0, and 1s at most",
        "device.max-idle-park | 20us | 20us; it is no shorter than idle-park, 50us",
        "notify.first-slots | 65 | 65; it is no more than send-slots and receive-slots",
        "devices | [\"\"] | '' is no name",
        "devices | [mlx5_0, mlx5_0] | 'mlx5_0' is no name, or stands there twice",
        "max-slice | 2GiB | 2147483648 bytes; it is 1073741824 at most",
        "slice-size | 9MiB | 9437184 bytes; it lies between 1 and max-slice, 8388608",
      })
  void whatWouldBeRightIsTold(String key, String value, String text) {
    var wrong = with(key, value);
    var told = assertThrows(ConfigException.class, () -> RdmaSettings.of(wrong)).getMessage();
    assertTrue(told.contains("'" + key + "'"), told);
    assertTrue(told.contains(text), told);
  }

  @Test
  void timesAreToldAsTheyAreWritten() {
    assertEquals(
        List.of("1ns", "1us", "1500us", "20ms", "1s", "3600s"),
        Stream.of(1L, 1_000L, 1_500_000L, 20_000_000L, 1_000_000_000L, 3600_000_000_000L)
            .map(nanos -> EndpointSettings.text(Duration.ofNanos(nanos)))
            .toList());
  }
}
