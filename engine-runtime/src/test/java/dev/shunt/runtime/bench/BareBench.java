package dev.shunt.runtime.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a socket and a selector alone cost: a payload one way, eight bytes back, and nothing else.
 * The yardstick of {@link BatchBench}; run both in turns, since machines are noisy.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class BareBench {
  /** Of the payload. */
  @Param({"4096", "1048576", "4194304"})
  public int bytes;

  private final ByteBuffer back = ByteBuffer.allocateDirect(8);
  private ByteBuffer payload;
  private Selector selector;
  private SocketChannel channel;
  private Thread server;

  /** A stream, and a thread that answers. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    payload = ByteBuffer.allocateDirect(bytes);
    try (var listening = ServerSocketChannel.open()) {
      listening.bind(new InetSocketAddress("127.0.0.1", 0));
      channel = SocketChannel.open(listening.getLocalAddress());
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      var accepted = listening.accept();
      accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
      server = Thread.ofPlatform().daemon().start(() -> serve(accepted));
    }
    selector = ready(channel);
  }

  private static Selector ready(SocketChannel channel) throws IOException {
    var selector = Selector.open();
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ);
    return selector;
  }

  private void serve(SocketChannel accepted) {
    var into = ByteBuffer.allocateDirect(bytes);
    var answer = ByteBuffer.allocateDirect(8);
    try (accepted;
        var selector = ready(accepted)) {
      while (move(selector, accepted, into, false)) {
        move(selector, accepted, answer, true);
        into.clear();
        answer.clear();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Moves a whole buffer; false at the end of the stream. */
  private static boolean move(
      Selector selector, SocketChannel channel, ByteBuffer buffer, boolean out) throws IOException {
    while (buffer.hasRemaining()) {
      int count = out ? channel.write(buffer) : channel.read(buffer);
      if (count < 0) {
        return false;
      }
      if (count == 0) {
        channel.keyFor(selector).interestOps(out ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        selector.select(_ -> {});
      }
    }
    return true;
  }

  /** Ends both. */
  @TearDown(Level.Trial)
  public void close() throws IOException, InterruptedException {
    channel.close();
    selector.close();
    server.join(10_000);
  }

  /** There and back. */
  @Benchmark
  public Object exchange() throws IOException {
    payload.clear();
    back.clear();
    move(selector, channel, payload, true);
    move(selector, channel, back, false);
    return back;
  }
}
