package dev.shunt.transport.tcp.links;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.transport.tcp.core.Interface;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** This machine's own kernel. */
class KernelTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void bothWaysOfLookingSeeTheSame() {
    var told = new RouteReader(FfmRouteSocket.open());
    var polled = new PolledReader(SECOND);
    try {
      var kernel = told.await(SECOND).orElseThrow();
      var looked = polled.await(SECOND).orElseThrow();
      assertTrue(addresses(kernel).containsAll(addresses(looked)), kernel + " " + looked);
      assertEquals(carrying(kernel), carrying(looked));
    } finally {
      told.close();
      polled.close();
    }
  }

  private static Set<String> addresses(List<Interface> interfaces) {
    return interfaces.stream()
        .flatMap(it -> it.addresses().stream().map(address -> it.index() + " " + address))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Java lists those only that have an address, and tells of others nothing. */
  private static Set<String> carrying(List<Interface> interfaces) {
    return interfaces.stream()
        .filter(it -> it.carries() && !it.addresses().isEmpty())
        .map(it -> it.index() + " " + it.name())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aReaderThatWaitsIsWoken() throws InterruptedException {
    for (var reader : List.of(new RouteReader(FfmRouteSocket.open()), new PolledReader(SECOND))) {
      reader.await(SECOND);
      var over = new CountDownLatch(1);
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                while (reader.await(60 * SECOND).isPresent()) {
                  // An interface of the machine changed meanwhile.
                }
                over.countDown();
              });
      reader.wake();
      assertTrue(over.await(10, TimeUnit.SECONDS), reader::toString);
      reader.close();
    }
  }
}
