package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.transport.rdma.verbs.AsyncEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AsyncClassTest {
  private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");

  @ParameterizedTest
  @CsvSource({
    "0, QUEUE_BROKEN",
    "1, QP_BROKEN",
    "2, QP_BROKEN",
    "3, QP_BROKEN",
    "4, COUNTED",
    "5, COUNTED",
    "6, COUNTED",
    "7, COUNTED",
    "8, DEVICE_BROKEN",
    "9, PORT_UP",
    "10, PORT_DOWN",
    "11, PORT_MOVED",
    "12, COUNTED",
    "13, COUNTED",
    "14, COUNTED",
    "15, COUNTED",
    "16, COUNTED",
    "17, COUNTED",
    "18, GID_CHANGED",
    "19, QUEUE_BROKEN",
    "20, COUNTED",
    "-1, COUNTED"
  })
  void eachEventAsksForOneThing(int type, AsyncClass wanted) {
    assertEquals(wanted, AsyncClass.of(type));
  }

  @Test
  void eachEventOfTheHeaderHasItsName() throws IOException {
    Assumptions.assumeTrue(Files.exists(HEADER), "needs libibverbs-dev for the header");
    var text = Files.readString(HEADER);
    int start = text.indexOf("enum ibv_event_type {");
    var names =
        Pattern.compile("IBV_EVENT_(\\w+)")
            .matcher(text.substring(start, text.indexOf('}', start)))
            .results()
            .map(match -> match.group(1))
            .toList();
    assertTrue(names.size() >= 20, "as of rdma-core 44");
    for (int i = 0; i < 20; i++) {
      assertEquals(names.get(i), AsyncEvents.name(i));
    }
  }
}
