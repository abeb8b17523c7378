package dev.shunt.cli;

import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Constants as somebody writes them, in lower case.
 *
 * @param <E> their type
 */
final class Choices<E extends Enum<E>> implements ITypeConverter<E> {
  private final E[] constants;

  Choices(Class<E> type) {
    constants = type.getEnumConstants();
  }

  @Override
  public E convert(String text) {
    for (var constant : constants) {
      if (constant.name().equalsIgnoreCase(text)) {
        return constant;
      }
    }
    var choices = Arrays.stream(constants).map(c -> c.name().toLowerCase(Locale.ROOT)).toList();
    throw new TypeConversionException(
        "'" + text + "' is none of the choices; write " + String.join(" or ", choices));
  }
}
