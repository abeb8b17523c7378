package dev.shunt.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoundTest {
  private static AdminClient client(int port) {
    return AdminClient.at("127.0.0.1:" + port, Optional.empty()).within(Duration.ofMillis(500));
  }

  @Test
  void nodesThatStandStillCostTheOthersNothing() throws Exception {
    var here = InetAddress.getByName("127.0.0.1");
    // Who listens and never answers: the kernel takes the connection.
    try (var server = new ServerSocket(0, 8, here);
        var first = new ServerSocket(0, 8, here);
        var second = new ServerSocket(0, 8, here)) {
      Thread.ofPlatform().daemon().start(() -> answer(server));
      long start = System.nanoTime();
      var answers =
          Round.ask(
              List.of(
                  client(first.getLocalPort()),
                  client(server.getLocalPort()),
                  client(second.getLocalPort())),
              "/status",
              1000);
      long took = System.nanoTime() - start;
      assertTrue(took < Duration.ofSeconds(20).toNanos(), "took " + took);
      var none = assertInstanceOf(Round.Answer.None.class, answers.get(0));
      assertEquals(FailureCode.UNREACHABLE, none.failure().code());
      assertTrue(none.failure().getMessage().contains("within 500 ms"));
      assertInstanceOf(Round.Answer.Text.class, answers.get(1));
      assertInstanceOf(Round.Answer.None.class, answers.get(2));
      assertEquals(
          FailureCode.UNREACHABLE,
          assertThrows(ShuntException.class, client(first.getLocalPort())::reach).code());
    }
  }

  private static void answer(ServerSocket server) {
    try (var connection = server.accept()) {
      connection
          .getOutputStream()
          .write("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(US_ASCII));
      // Until the other side has read it.
      connection.getInputStream().readAllBytes();
    } catch (IOException _) {
      // The test tells that nothing came.
    }
  }
}
