package dev.shunt.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.testcontainers.images.builder.ImageFromDockerfile;

/** A container's image from files at hand: nothing is fetched from anywhere. */
final class ContainerFiles {
  private static final Pattern LIBRARY = Pattern.compile("(/\\S+\\.so\\S*) \\(0x");

  private ContainerFiles() {}

  /** The linked image under {@code /shunt}, and the host's libraries that it needs. */
  static ImageFromDockerfile image() {
    var image =
        new ImageFromDockerfile("shunt-under-test", true)
            .withFileFromPath("shunt", Image.FOLDER)
            .withFileFromString(
                "Dockerfile",
                """
                FROM scratch
                COPY root/ /
                COPY shunt/ /shunt/
                ENTRYPOINT ["/shunt/bin/java", "@/shunt/conf/java.options", "-m", \
                "dev.shunt.cli/dev.shunt.cli.Main"]
                """);
    for (var library : libraries()) {
      image.withFileFromPath("root" + library, library);
    }
    return image;
  }

  private static Set<Path> libraries() {
    var all = new LinkedHashSet<Path>();
    try (var files = Files.walk(Image.FOLDER)) {
      for (var file : files.filter(ContainerFiles::isNative).toList()) {
        var ldd = new ProcessBuilder("ldd", file.toString()).start();
        var said = new String(ldd.getInputStream().readAllBytes());
        LIBRARY
            .matcher(said)
            .results()
            .map(m -> Path.of(m.group(1)))
            .filter(path -> !path.startsWith(Image.FOLDER))
            .forEach(all::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  private static boolean isNative(Path file) {
    var name = file.getFileName().toString();
    return Files.isRegularFile(file) && (name.endsWith(".so") || name.equals("java"));
  }
}
