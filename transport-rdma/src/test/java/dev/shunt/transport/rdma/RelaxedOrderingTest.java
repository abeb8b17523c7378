package dev.shunt.transport.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.transport.rdma.verbs.FakeLibrary;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory that devices may write in any order, where they take that. */
class RelaxedOrderingTest {
  private static final int ACCESS = Verbs.ACCESS_LOCAL_WRITE | Verbs.ACCESS_REMOTE_WRITE;
  private static final MemorySegment MEMORY = Arena.global().allocate(4096, 4096);

  @TempDir Path directory;

  private RdmaDevice open(FakeLibrary fake) {
    return new RdmaDevice(fake.verbs().open("fake0", () -> {}));
  }

  @Test
  void itIsAskedForWhereItIsConfigured() {
    var fake = FakeLibrary.in(directory);
    var device = open(fake);
    var ordered = device.register(MEMORY, ACCESS, false);
    assertEquals(ACCESS, fake.access(ordered.lkey()));
    var relaxed = device.register(MEMORY, ACCESS, true);
    assertEquals(ACCESS | Verbs.ACCESS_RELAXED_ORDERING, fake.access(relaxed.lkey()));
    assertEquals("", device.refusedOrdering());
  }

  @Test
  void aDeviceThatRefusesItRegistersWithoutAndSaysSo() {
    var fake = FakeLibrary.in(directory).option("relaxed-errno", VerbsException.EINVAL);
    var device = open(fake);
    for (int i = 0; i < 2; i++) {
      assertEquals(ACCESS, fake.access(device.register(MEMORY, ACCESS, true).lkey()));
    }
    assertTrue(device.refusedOrdering().contains("invalid argument"), device.refusedOrdering());
  }

  @Test
  void aLibraryThatDoesNotKnowItRegistersWithout() {
    var fake = FakeLibrary.in(directory, "-DFAKE_OLD");
    var device = open(fake);
    assertEquals(ACCESS, fake.access(device.register(MEMORY, ACCESS, true).lkey()));
    assertTrue(device.refusedOrdering().contains("not supported"), device.refusedOrdering());
  }

  @Test
  void whatIsRefusedForAnotherReasonIsNotTriedWithout() {
    var fake = FakeLibrary.in(directory).option("relaxed-errno", VerbsException.ENOMEM);
    var device = open(fake);
    var thrown = assertThrows(VerbsException.class, () -> device.register(MEMORY, ACCESS, true));
    assertEquals(VerbsException.ENOMEM, thrown.error());
    fake.option("reg-errno", VerbsException.EINVAL);
    assertThrows(VerbsException.class, () -> device.register(MEMORY, ACCESS, true));
    assertEquals("", device.refusedOrdering(), "it was not the order that was refused");
  }
}
