package dev.shunt.runtime.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.runtime.agent.ThreadPlatform;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** On real sockets and threads. */
class LoopbackTest {
  private static final long SECOND = 1_000_000_000L;

  private static CompletableFuture<byte[]> call(
      ControlService from, List<String> where, int function, byte[] request) {
    var answer = new CompletableFuture<byte[]>();
    from.call(
        where,
        function,
        request,
        System.nanoTime() + 20 * SECOND,
        new CallHandler() {
          @Override
          public void reply(byte[] attachment) {
            assertTrue(answer.complete(attachment), "a call ends once");
          }

          @Override
          public void failed(Fault fault) {
            assertTrue(
                answer.completeExceptionally(new IllegalStateException(fault.toString())),
                "a call ends once");
          }
        });
    return answer;
  }

  @Test
  void manyThreadsCallAtOnceAndAnswersComeFromOthers() throws Exception {
    var platform = new ThreadPlatform("loopback-");
    var a = new ControlService("a", ControlOptions.defaults(), platform);
    var b = new ControlService("b", ControlOptions.defaults(), platform);
    var where =
        b
            .listen(List.of(new InetSocketAddress("127.0.0.1", 0), new InetSocketAddress("::1", 0)))
            .stream()
            .map(Places::text)
            .toList();
    b.serve(200, (request, peer, reply) -> Thread.startVirtualThread(() -> reply.send(request)));
    var runningA = platform.start(a);
    var runningB = platform.start(b);
    try {
      var threads = new ArrayList<Thread>();
      var wrong = new ArrayList<String>();
      for (int t = 0; t < 8; t++) {
        int letter = t;
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int i = 0; i < 200; i++) {
                        var request = new byte[i * 37];
                        java.util.Arrays.fill(request, (byte) letter);
                        try {
                          assertArrayEquals(
                              request, call(a, where, 200, request).get(20, TimeUnit.SECONDS));
                        } catch (Exception | AssertionError failed) {
                          synchronized (wrong) {
                            wrong.add(failed.toString());
                          }
                        }
                      }
                    }));
      }
      for (var thread : threads) {
        thread.join();
      }
      assertEquals(List.of(), wrong);
      assertEquals(0, a.outstanding());
      var large = new byte[8 << 20];
      large[large.length - 1] = 1;
      assertArrayEquals(large, call(a, where, 200, large).get(20, TimeUnit.SECONDS));
      var port = where.getFirst().substring(where.getFirst().lastIndexOf(':'));
      assertEquals(
          0, call(a, List.of("localhost" + port), 6, new byte[0]).get(20, TimeUnit.SECONDS).length);
    } finally {
      runningB.stop(agent -> {});
      assertTrue(runningB.join(10 * SECOND));
    }
    try {
      call(a, where, 200, new byte[1]).get(20, TimeUnit.SECONDS);
      throw new AssertionError("nobody serves it");
    } catch (ExecutionException failed) {
      assertTrue(
          failed.getMessage().contains(FailureCode.UNREACHABLE.name())
              || failed.getMessage().contains(FailureCode.CONNECTION.name()),
          failed.getMessage());
    }
    runningA.stop(agent -> {});
    assertTrue(runningA.join(10 * SECOND));
  }

  @Test
  void callsOfManyThreadsAllEndWhenItIsClosed() throws Exception {
    for (int round = 0; round < 20; round++) {
      var platform = new ThreadPlatform("closing-");
      var a = new ControlService("a", ControlOptions.defaults(), platform);
      var where =
          a.listen(List.of(new InetSocketAddress("127.0.0.1", 0))).stream()
              .map(Places::text)
              .toList();
      a.serve(200, (request, peer, reply) -> reply.send(request));
      var running = platform.start(a);
      var all = new ArrayList<CompletableFuture<byte[]>>();
      var begun = new AtomicInteger();
      var caller =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < 2000; i++) {
                      all.add(call(a, where, 200, new byte[10]));
                      begun.incrementAndGet();
                    }
                  });
      while (begun.get() < 50 * round) {
        Thread.onSpinWait();
      }
      running.stop(agent -> {});
      assertTrue(running.join(10 * SECOND));
      caller.join();
      for (var each : all) {
        assertTrue(each.handle((reply, failed) -> true).get(5, TimeUnit.SECONDS), "round " + round);
      }
      assertEquals(0, a.outstanding());
    }
  }
}
