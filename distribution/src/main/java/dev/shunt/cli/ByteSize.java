package dev.shunt.cli;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.util.Map;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of bytes, as somebody writes it.
 *
 * @param bytes at least 1
 */
record ByteSize(long bytes) {
  /** Reads a number with a unit, as configuration has them. */
  static ByteSize parse(String text) {
    long bytes = 0;
    if (!text.isBlank() && Character.isLetter(text.strip().charAt(text.strip().length() - 1))) {
      try {
        bytes = ConfigFactory.parseMap(Map.of("size", text)).getMemorySize("size").toBytes();
      } catch (ConfigException | IllegalArgumentException _) {
        bytes = 0;
      }
    }
    if (bytes < 1) {
      throw new TypeConversionException(
          "'" + text + "' is no size; write a number above 0 with its unit, such as 64KiB or 1GiB");
    }
    return new ByteSize(bytes);
  }
}
