package dev.shunt.cli;

import dev.shunt.api.Access;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What others may do with memory, as somebody writes it. */
final class Accesses implements ITypeConverter<Access> {
  @Override
  public Access convert(String text) {
    return switch (text) {
      case "read" -> Access.REMOTE_READ;
      case "write" -> Access.REMOTE_WRITE;
      case "read-write" -> Access.REMOTE_READ_WRITE;
      default ->
          throw new TypeConversionException(
              "'" + text + "' is no access; write read, write or read-write");
    };
  }
}
