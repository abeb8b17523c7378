package dev.shunt.runtime.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViewCacheTest {
  private static final long GIB = 1L << 30;

  private final ViewCache views = new ViewCache();

  /** A sparse file: five gibibytes that cost nothing until they are touched. */
  private static MemorySegment sparse(Path folder) throws Exception {
    var file = folder.resolve("sparse");
    try (var channel =
        java.nio.channels.FileChannel.open(
            file,
            java.nio.file.StandardOpenOption.CREATE_NEW,
            java.nio.file.StandardOpenOption.READ,
            java.nio.file.StandardOpenOption.WRITE)) {
      return channel.map(
          java.nio.channels.FileChannel.MapMode.READ_WRITE, 0, 5 * GIB, Arena.ofAuto());
    }
  }

  @Test
  void memoryOfManyGibibytesIsReachedAtEveryOffset(@TempDir Path folder) throws Exception {
    var memory = sparse(folder);
    for (long offset :
        new long[] {
          0, 1, GIB - 1, GIB, 2 * GIB - 2, 2 * GIB, 4 * GIB - 100, 4 * GIB, 5 * GIB - 1
        }) {
      memory.set(ValueLayout.JAVA_BYTE, offset, (byte) (offset % 97 + 1));
      var view = views.view(memory, offset, 1);
      assertEquals(1, view.remaining());
      assertEquals((byte) (offset % 97 + 1), view.get(), "at " + offset);
    }
    assertTrue(Files.exists(folder.resolve("sparse")));
  }

  @Test
  void aRangeThatIsLongerThanAViewIsCutAndNotEmpty(@TempDir Path folder) throws Exception {
    var memory = sparse(folder);
    for (long offset : new long[] {0, GIB - 1, 2 * GIB - 1, 3 * GIB + 5}) {
      var view = views.view(memory, offset, 5 * GIB - offset);
      assertTrue(view.remaining() >= 512 << 20, "at " + offset + ": " + view.remaining());
    }
  }

  @Test
  void theSameRangeHasTheSameView() {
    var memory = Arena.ofAuto().allocate(100);
    assertSame(views.view(memory, 0, 10), views.view(memory, 50, 10));
  }

  @Test
  void aViewThatCannotBeMadeIsNotRemembered() {
    var memory = MemorySegment.ofArray(new int[4]);
    for (int i = 0; i < 2; i++) {
      assertThrows(UnsupportedOperationException.class, () -> views.view(memory, 0, 4));
    }
  }
}
