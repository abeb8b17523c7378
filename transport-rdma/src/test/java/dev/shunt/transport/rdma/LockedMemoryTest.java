package dev.shunt.transport.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.transport.rdma.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockedMemoryTest {
  private static final VerbsException NO_MEMORY =
      new VerbsException("ibv_reg_mr on mlx5_0", VerbsException.ENOMEM);

  @TempDir Path process;

  private String hint(String limit) throws IOException {
    Files.writeString(
        process.resolve("limits"),
        "Limit                     Soft Limit           Hard Limit           Units\n"
            + "Max locked memory         "
            + limit
            + "               131072               bytes\n");
    return LockedMemory.hint(NO_MEMORY, 1 << 20, process);
  }

  @Test
  void itNamesTheLimitTheNeedAndTheRemedy() throws IOException {
    Files.writeString(process.resolve("status"), "VmLck:\t       8 kB\nVmPin:\t      12 kB\n");
    var hint = hint("65536");
    assertTrue(hint.contains("locked memory is 65536 bytes"), hint);
    assertTrue(hint.contains("20480 are locked"), hint);
    assertTrue(hint.contains("needs 1048576 more"), hint);
    assertTrue(hint.contains("ulimit -l") && hint.contains("LimitMEMLOCK"), hint);
  }

  @Test
  void whatTheSystemDoesNotTellIsLeftOut() throws IOException {
    var hint = hint("65536");
    assertTrue(!hint.contains("are locked"), hint);
    Files.delete(process.resolve("limits"));
    assertTrue(LockedMemory.hint(NO_MEMORY, 1, process).contains("not known"));
  }

  @Test
  void aLimitThatIsNoneIsNotBlamed() throws IOException {
    var hint = hint("unlimited");
    assertTrue(hint.contains("not limited") && !hint.contains("ulimit"), hint);
  }

  @Test
  void anotherErrorHasNothingToDoWithIt() {
    assertEquals("", LockedMemory.hint(new VerbsException("x", VerbsException.EINVAL), 1));
  }
}
