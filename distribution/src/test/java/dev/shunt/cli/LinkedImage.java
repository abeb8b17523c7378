package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * An image that was linked by the build or by a test.
 *
 * @param folder where it lies
 */
record LinkedImage(Path folder) {
  /** The one of the build. */
  static final LinkedImage BUILT = new LinkedImage(Image.FOLDER);

  /** Links another one of the jars that the build made, as the build links its own. */
  static LinkedImage of(Path folder, String modules) throws IOException, InterruptedException {
    var ran = link(folder, modules);
    assertEquals(0, ran.code(), ran::toString);
    return new LinkedImage(folder);
  }

  /** The same, where it need not come to an end. */
  static Image.Ran link(Path folder, String modules) throws IOException, InterruptedException {
    var root = Path.of(System.getProperty("shunt.root"));
    var jars =
        Image.FOLDER.resolveSibling("modules")
            + File.pathSeparator
            + System.getProperty("shunt.jar");
    var all = "dev.shunt.cli,org.slf4j.jul," + System.getProperty("image.jdk.modules");
    return run(
        folder.getParent(),
        Path.of(System.getProperty("java.home"), "bin/java").toString(),
        root.resolve(".mvn/build/LinkImage.java").toString(),
        jars,
        folder.toString(),
        all + "," + modules,
        root.resolve("distribution/src/image").toString());
  }

  /** The modules that it holds. */
  List<String> modules(Path workFolder) throws IOException, InterruptedException {
    return run(workFolder, folder.resolve("bin/java").toString(), "--list-modules")
        .out()
        .lines()
        .map(line -> line.replaceFirst("@.*", ""))
        .toList();
  }

  /** Runs a command of it to its end. */
  Image.Ran shunt(Path workFolder, String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(folder.resolve("bin/shunt").toString()));
    command.addAll(List.of(arguments));
    return run(workFolder, command.toArray(String[]::new));
  }

  /** Every file with what it holds and whether it can be run; a start-up cache is left out. */
  SequencedMap<String, String> tree() throws IOException {
    var tree = new TreeMap<String, String>();
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var name = folder.relativize(file).toString();
        if (!name.equals("lib/shunt.aot")) {
          tree.put(name, hash(file) + (Files.isExecutable(file) ? " runs" : ""));
        }
      }
    }
    return tree;
  }

  /** The bytes of its files; a start-up cache is left out. */
  long size() throws IOException {
    long size = 0;
    for (var name : tree().keySet()) {
      size += Files.size(folder.resolve(name));
    }
    return size;
  }

  private static String hash(Path file) throws IOException {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs any command to its end. */
  static Image.Ran run(Path workFolder, String... command)
      throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(command)
            .directory(workFolder.toFile())
            .redirectOutput(workFolder.resolve("out").toFile())
            .redirectError(workFolder.resolve("err").toFile())
            .start();
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), () -> List.of(command) + " hangs");
    } finally {
      process.destroyForcibly();
    }
    return new Image.Ran(
        process.exitValue(), Image.text(workFolder, "out"), Image.text(workFolder, "err"));
  }
}
