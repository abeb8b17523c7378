package dev.shunt.runtime.plain;

import dev.shunt.api.spi.WireLoop;
import dev.shunt.runtime.wire.NioWires;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** A {@link SoftTent} on real streams, in a thread of its own that can stand still. */
final class TentThread implements AutoCloseable {
  /** How peers know its memory. */
  static final long BASE = 0x7200_0000_0000L;

  final MemorySegment memory;
  final SoftTent server;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final WireLoop loop;
  private final Thread thread;
  private volatile CountDownLatch frozen = new CountDownLatch(0);
  private volatile boolean closed;

  TentThread(long bytes) {
    this(bytes, 0);
  }

  TentThread(long bytes, int port) {
    memory = Arena.ofAuto().allocate(bytes, 4096);
    loop = new NioWires().open("tent");
    server = new SoftTent(loop, memory, BASE);
    server.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    thread = Thread.ofPlatform().name("tent").start(this::run);
  }

  private void run() {
    while (!closed) {
      try {
        frozen.await();
      } catch (InterruptedException e) {
        return;
      }
      for (var task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
      var now = System.nanoTime();
      server.work(now);
      loop.park(Math.min(server.nextDeadline(), now + 10_000_000L));
    }
    loop.close();
  }

  /** Does something on its thread, and waits for that. */
  void tell(Consumer<SoftTent> task) throws Exception {
    ask(
        soft -> {
          task.accept(soft);
          return null;
        });
  }

  /** Asks something on its thread. */
  <T> T ask(Function<SoftTent, T> question) throws Exception {
    var task = new FutureTask<>(() -> question.apply(server));
    tasks.add(task);
    loop.wake();
    return task.get(20, TimeUnit.SECONDS);
  }

  String name() {
    return server.name();
  }

  int port() {
    return Integer.parseInt(name().substring(name().lastIndexOf(':') + 1));
  }

  /** It stands still; what is sent to it waits in its sockets. */
  void freeze() throws Exception {
    var latch = new CountDownLatch(1);
    tell(soft -> frozen = latch);
  }

  void thaw() {
    frozen.countDown();
  }

  @Override
  public void close() {
    closed = true;
    frozen.countDown();
    loop.wake();
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
