package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
  private static final Path FULL = Path.of("/dev/full");

  @TempDir private Path folder;

  private static long write(Path to, String text) {
    return new OutputFile("--report", to, false)
        .write(
            out -> {
              out.write(text.getBytes(StandardCharsets.UTF_8));
              return text.length();
            });
  }

  private void nothingBut(long files) throws IOException {
    try (var left = Files.list(folder)) {
      assertEquals(files, left.count());
    }
  }

  @Test
  void aFileIsReplacedWholeAndKeepsItsRights() throws Exception {
    var file = folder.resolve("it");
    Files.writeString(file, "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertEquals(3, write(file, "new"));
    assertEquals("new", Files.readString(file));
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    nothingBut(1);
  }

  @Test
  void aNameMayBeAsLongAsTheFileSystemTakesIt() throws Exception {
    var file = folder.resolve("x".repeat(255));
    assertEquals(3, write(file, "new"));
    assertEquals("new", Files.readString(file));
    nothingBut(1);
  }

  @Test
  void whatAProcessHasOpenKeepsWhatIsInIt() throws Exception {
    var file = Files.writeString(folder.resolve("it"), "before ");
    var shell =
        new ProcessBuilder("sh", "-c", "exec 3>>'" + file + "'; echo; read -r end")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertEquals('\n', shell.getInputStream().read());
      write(Path.of("/proc/" + shell.pid() + "/fd/3"), "after");
    } finally {
      shell.destroy();
    }
    assertEquals("before after", Files.readString(file));
  }

  @Test
  void whatIsSecretIsForItsOwnerAlone() throws Exception {
    var file = folder.resolve("it");
    new OutputFile("--file", file, true).write(_ -> 0);
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void whatFailsLeavesTheOldFileAndNothingElse() throws Exception {
    var file = folder.resolve("it");
    Files.writeString(file, "old");
    var broken =
        assertThrows(
            ShuntException.class,
            () ->
                new OutputFile("--report", file, false)
                    .write(
                        out -> {
                          out.write(new byte[100_000]);
                          throw new IOException("No space left on device");
                        }));
    assertEquals(FailureCode.RESOURCE, broken.code());
    assertTrue(broken.getMessage().contains("No space left"), broken.getMessage());
    assertEquals("old", Files.readString(file));
    nothingBut(1);
  }

  @Test
  void whatThePeerFailedAtIsNotToldOfTheFile() throws Exception {
    var silent = new ShuntException(FailureCode.UNREACHABLE, "it does not answer");
    var file = folder.resolve("it");
    var thrown =
        assertThrows(
            ShuntException.class,
            () ->
                new OutputFile("--file", file, true)
                    .write(
                        _ -> {
                          throw silent;
                        }));
    assertEquals(silent, thrown);
    nothingBut(0);
  }

  @Test
  void linksAreFollowedAndStay() throws Exception {
    var file = folder.resolve("it");
    Files.writeString(file, "old");
    var link = Files.createSymbolicLink(folder.resolve("link"), Path.of("it"));
    var second = Files.createSymbolicLink(folder.resolve("second"), link);
    write(second, "new");
    assertTrue(Files.isSymbolicLink(link) && Files.isSymbolicLink(second));
    assertEquals("new", Files.readString(file));

    var nowhere = Files.createSymbolicLink(folder.resolve("nowhere"), Path.of("made"));
    write(nowhere, "made");
    assertTrue(Files.isSymbolicLink(nowhere));
    assertEquals("made", Files.readString(folder.resolve("made")));
  }

  @Test
  void linksThatLeadRoundAreRefused() throws Exception {
    var a = folder.resolve("a");
    Files.createSymbolicLink(a, Path.of("b"));
    Files.createSymbolicLink(folder.resolve("b"), Path.of("a"));
    var thrown = assertThrows(ShuntException.class, () -> write(a, "x"));
    assertTrue(thrown.getMessage().contains("circle"), thrown.getMessage());
  }

  @Test
  void foldersAreRefusedAndStay() throws Exception {
    var empty = Files.createDirectory(folder.resolve("empty"));
    var file = new OutputFile("--report", empty, false);
    assertEquals(FailureCode.RESOURCE, assertThrows(ShuntException.class, file::check).code());
    assertThrows(ShuntException.class, () -> write(empty, "x"));
    assertTrue(Files.isDirectory(empty));
    var gone = new OutputFile("--report", folder.resolve("gone/it"), false);
    assertThrows(ShuntException.class, gone::check);
  }

  @Test
  void aDeviceIsWrittenToAndAFullOneIsTold() {
    var thrown = assertThrows(ShuntException.class, () -> write(FULL, "x"));
    assertEquals(FailureCode.RESOURCE, thrown.code());
    assertTrue(thrown.getMessage().startsWith("--report /dev/full: "), thrown.getMessage());
    assertTrue(thrown.getMessage().contains("No space left"), thrown.getMessage());
    assertTrue(Files.exists(FULL) && !Files.isRegularFile(FULL));
  }

  @Test
  void aFullDeviceIsToldOfTheFileAndNotOfThePeer() {
    var thrown = assertThrows(ShuntException.class, () -> write(FULL, "x".repeat(1 << 20)));
    assertEquals(FailureCode.RESOURCE, thrown.code());
  }

  @Test
  void aPipeIsWrittenToAndStays() throws Exception {
    var pipe = folder.resolve("pipe");
    var made = new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start();
    assertTrue(made.waitFor(10, TimeUnit.SECONDS) && made.exitValue() == 0);
    var read = new StringBuffer();
    var reader =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    read.append(Files.readString(pipe));
                  } catch (IOException e) {
                    read.append(e);
                  }
                });
    write(pipe, "through");
    assertTrue(reader.join(java.time.Duration.ofSeconds(10)));
    assertEquals("through", read.toString());
    assertTrue(!Files.isRegularFile(pipe));
    nothingBut(1);
  }

  @Test
  void aPartThatIsBeingWrittenGoesWithTheProcess() throws Exception {
    var file = folder.resolve("it");
    assertThrows(
        ShuntException.class,
        () ->
            new OutputFile("--report", file, false)
                .write(
                    _ -> {
                      nothingBut(1);
                      Parts.discard();
                      nothingBut(0);
                      return 0;
                    }));
    nothingBut(0);
  }

  /** Prints, writes to its standard output by name, and prints again. */
  static final class Writing {
    public static void main(String[] args) {
      System.out.print("before ");
      System.out.flush();
      OutputFileTest.write(Path.of("/dev/stdout"), "whole ");
      System.out.print("after");
      System.out.flush();
    }
  }

  @Test
  void standardOutputThatIsAFileKeepsItsOrder() throws Exception {
    var file = folder.resolve("it");
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var path =
        System.getProperty("java.class.path")
            + File.pathSeparator
            + System.getProperty("jdk.module.path", "");
    var process =
        new ProcessBuilder(java, "-cp", path, Writing.class.getName())
            .redirectOutput(file.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals("before whole after", Files.readString(file));
  }
}
