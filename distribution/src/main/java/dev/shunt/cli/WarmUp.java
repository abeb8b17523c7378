package dev.shunt.cli;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;

/** How long to warm up, as somebody writes it: not at all is fine too. */
final class WarmUp implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    return text.strip().matches("0+\\s*[a-z]+") ? Duration.ZERO : Units.duration(text);
  }
}
