package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {
  @TempDir Path folder;

  @Test
  void anIncludeIsReadRelativeToItsFile() throws IOException {
    write("common/rpc.conf", "shunt.rpc.probe-timeout = 3s");
    write("common/all.conf", "include \"rpc.conf\"\ninclude file(\"rpc.conf\")");
    var main = write("main.conf", "include \"common/all.conf\"\nshunt.name = n");
    var config = ConfigFile.read(main);
    assertEquals("3s", config.getString("shunt.rpc.probe-timeout"));
    assertEquals("n", config.getString("shunt.name"));
  }

  @Test
  void includesThatAreNotThereAreAllToldWithFileAndLine() throws IOException {
    var inner = write("inner.conf", "# one\n\ninclude \"gone.conf\"\n");
    var main =
        write("main.conf", "include \"inner.conf\"\nshunt {\n  include \"gone too.conf\"\n}\n");
    var refused = refused(main);
    assertEquals(
        List.of(inner + ":3", main + ":3"),
        refused.problems().stream().map(Problem::where).toList(),
        refused::getMessage);
    assertTrue(refused.getMessage().contains("\"?gone.conf\" may be missing"));
  }

  @Test
  void anIncludeMayBeMissingWhereTheFileSaysSo() throws IOException {
    var main = write("main.conf", "include \"?gone.conf\"\nshunt.name = n\n");
    assertEquals("n", ConfigFile.read(main).getString("shunt.name"));
    write("gone.conf", "shunt.control.port = 7");
    assertEquals(7, ConfigFile.read(main).getInt("shunt.control.port"));
  }

  @Test
  void aMistakeInAnOptionalIncludeIsToldAllTheSame() throws IOException {
    var broken = write("broken.conf", "shunt {\n  a = ]\n}\n");
    var refused = refused(write("main.conf", "include \"?broken.conf\"\n"));
    assertEquals(broken + ":2", refused.problems().getFirst().where());
  }

  @Test
  void filesThatIncludeOneAnotherAreRefused() throws IOException {
    write("b.conf", "include \"a.conf\"\n");
    var refused = refused(write("a.conf", "include \"b.conf\"\n"));
    assertTrue(refused.getMessage().contains("includes itself"), refused::getMessage);
  }

  @Test
  void nothingIsReadOverANetworkOrFromAClassPath() throws IOException {
    for (var what :
        List.of("url(\"http://127.0.0.1:9/a.conf\")", "classpath(\"reference.conf\")")) {
      var refused = refused(write("main.conf", "\ninclude " + what + "\n"));
      assertTrue(refused.getMessage().contains("right is a file"), refused::getMessage);
      assertTrue(refused.problems().getFirst().where().endsWith("main.conf:2"));
    }
  }

  @Test
  void aLineThatMayHoldASecretIsNotShownWhenItCannotBeParsed() throws IOException {
    var refused = refused(write("main.conf", "shunt {\n  a.password = ]hunter2\n}\n"));
    assertTrue(refused.problems().getFirst().where().endsWith("main.conf:2"));
    assertFalse(refused.getMessage().contains("hunter"), refused::getMessage);
  }

  @Test
  void whatIsNoFileIsRefused() {
    assertTrue(refused(folder).getMessage().contains("is a directory"));
    assertTrue(refused(folder.resolve("x")).getMessage().contains("there is no such file"));
  }

  private Path write(String name, String text) throws IOException {
    var file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static InvalidConfigurationException refused(Path file) {
    return assertThrows(InvalidConfigurationException.class, () -> ConfigFile.read(file));
  }
}
