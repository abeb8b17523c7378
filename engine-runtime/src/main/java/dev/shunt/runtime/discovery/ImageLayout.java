package dev.shunt.runtime.discovery;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What lies where in a linked image. */
public final class ImageLayout {
  private ImageLayout() {}

  /** Whether this runtime is linked into the image that it runs from. */
  static boolean linked() {
    return Modules.here()
        && Modules.layer()
            .configuration()
            .findModule(Discovery.class.getModule().getName())
            .flatMap(module -> module.reference().location())
            .filter(location -> "jrt".equals(location.getScheme()))
            .isPresent();
  }

  /** The image's own directory of plug-ins; empty where there is no image, or no such directory. */
  public static Optional<Path> plugins() {
    return Optional.of(Path.of(System.getProperty("java.home"), "plugins"))
        .filter(_ -> linked())
        .filter(Files::isDirectory);
  }
}
