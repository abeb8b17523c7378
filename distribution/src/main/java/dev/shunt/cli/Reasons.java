package dev.shunt.cli;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Why something did not come about, in words: the names of Java's exceptions tell users nothing.
 */
final class Reasons {
  private Reasons() {}

  static String of(Exception thrown) {
    return switch (thrown) {
      case NoSuchFileException _ -> "there is no such file or folder";
      case AccessDeniedException _ -> "permission is denied";
      case NotDirectoryException _ -> "it is no folder";
      case FileAlreadyExistsException _ -> "it is there already";
      case FileSystemLoopException _ -> "its links lead round in a circle";
      case FileSystemException e when e.getReason() != null -> e.getReason();
      case UnknownHostException e -> "no host is known by the name " + e.getMessage();
      case SocketTimeoutException _ -> "nothing came in time";
      case ClosedByInterruptException _ -> "it was interrupted";
      case IOException e when e.getMessage() != null -> e.getMessage();
      default -> thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
    };
  }
}
