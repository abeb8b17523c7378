package dev.shunt.transport.rdma.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What holds on any machine, with or without the library and devices. */
class SystemVerbsTest {
  private static final boolean LIBRARY =
      Files.exists(Path.of("/usr/lib/x86_64-linux-gnu", FfmLibrary.NAME));
  private static final boolean DEVICES = Files.exists(Path.of("/dev/infiniband"));

  @Test
  void aMachineWithoutDevicesHasNone() {
    if (LIBRARY && !DEVICES) {
      assertTrue(Verbs.system().devices().isEmpty());
    }
  }

  @Test
  void aDeviceThatIsNotThereIsToldByNumber() {
    if (LIBRARY) {
      var verbs = Verbs.system();
      var thrown = assertThrows(VerbsException.class, () -> verbs.open("none0", () -> {}));
      assertEquals(VerbsException.ENODEV, thrown.error());
      assertTrue(thrown.getMessage().contains("none0"), thrown.getMessage());
    }
  }

  @Test
  void aMissingLibraryIsAReasonEachTime() {
    if (!LIBRARY) {
      for (int i = 0; i < 2; i++) {
        var thrown = assertThrows(VerbsUnavailableException.class, Verbs::system);
        assertTrue(thrown.getMessage().contains("libibverbs1"), thrown.getMessage());
      }
    }
  }
}
