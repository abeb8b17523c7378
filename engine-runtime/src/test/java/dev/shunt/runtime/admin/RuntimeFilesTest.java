package dev.shunt.runtime.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeFilesTest {
  @TempDir Path temporary;

  private static RuntimeEntry entry(String name, long generation) {
    return RuntimeEntry.of(name, generation, ProcessHandle.current(), "127.0.0.1:1", "secret");
  }

  private Path place() {
    return temporary.resolve("shunt");
  }

  private Path write(RuntimeEntry entry) {
    return RuntimeFiles.write(Optional.of(place()), entry).orElseThrow();
  }

  @Test
  void whatIsWrittenIsFoundByItsOwnerAlone() throws IOException {
    var file = write(entry("10.0.0.2:15000", 7));
    write(entry("10.0.0.2:15001", -1));
    assertEquals("10.0.0.2%3A15000.7.json", file.getFileName().toString());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(place())));
    assertEquals(
        List.of(entry("10.0.0.2:15000", 7), entry("10.0.0.2:15001", -1)),
        RuntimeFiles.running(List.of(place())));
    RuntimeFiles.remove(file);
    assertEquals(1, RuntimeFiles.running(List.of(place())).size());
  }

  @Test
  void whatADeadProcessLeftIsIgnoredAndRemoved() throws Exception {
    var dead = new ProcessBuilder("true").start();
    dead.waitFor();
    var left = write(new RuntimeEntry("dead", 1, dead.pid(), 0, "127.0.0.1:1", ""));
    var reused = entry("reused", 2);
    var other = write(new RuntimeEntry("reused", 2, reused.pid(), 1234, "127.0.0.1:1", "secret"));
    write(entry("alive", 3));
    assertFalse(Files.exists(left), "the next one to write removes it");
    assertFalse(Files.exists(other), "another process has its number by now");
    assertEquals(List.of(entry("alive", 3)), RuntimeFiles.running(List.of(place())));
  }

  @Test
  void aFolderThatOthersCanEnterIsNoPlace() throws IOException {
    Files.createDirectory(
        place(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    assertTrue(RuntimeFiles.write(Optional.of(place()), entry("a", 1)).isEmpty());
    Files.writeString(place().resolve("planted.json"), new String(entry("planted", 1).json()));
    assertEquals(List.of(), RuntimeFiles.running(List.of(place())));
  }

  @Test
  void aLinkIsNoPlace() throws IOException {
    var real =
        Files.createDirectory(
            temporary.resolve("real"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.createSymbolicLink(place(), real);
    assertTrue(RuntimeFiles.write(Optional.of(place()), entry("a", 1)).isEmpty());
  }

  @Test
  void whatIsNoRuntimeFileIsPassedOver() throws IOException {
    write(entry("a", 1));
    for (var text : List.of("", "{", "[]", "{\"name\":\"x\"}", "{\"pid\":-1}", "x".repeat(9000))) {
      Files.writeString(place().resolve("bad" + text.length() + ".json"), text);
    }
    assertEquals(List.of(entry("a", 1)), RuntimeFiles.running(List.of(place())));
  }

  @Test
  void namesMakeFilesOfTheFolder() {
    assertEquals("a-b_c.d", RuntimeFiles.fileName("a-b_c.d"));
    assertEquals("..%2F..%2Fetc".replaceFirst("^\\.", "%2E"), RuntimeFiles.fileName("../../etc"));
    assertEquals("%5Bfe80%3A%3A1%5D%3A5", RuntimeFiles.fileName("[fe80::1]:5"));
    assertTrue(RuntimeFiles.fileName("x".repeat(5000)).length() <= 200);
  }

  @Test
  void theUsersOwnPlaceComesFirst() {
    assertEquals(
        Path.of("/run/user/7/shunt"),
        RuntimeFiles.places(Map.of("XDG_RUNTIME_DIR", "/run/user/7")).getFirst());
    assertEquals(Path.of("/run/shunt"), RuntimeFiles.places(Map.of()).getFirst());
    assertEquals(
        Path.of("/run/shunt"),
        RuntimeFiles.places(Map.of("XDG_RUNTIME_DIR", "relative")).getFirst());
  }
}
