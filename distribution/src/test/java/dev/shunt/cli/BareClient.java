package dev.shunt.cli;

import dev.shunt.api.Operation;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * The other end of {@link BareServer}: batch after batch on one connection, as a benchmark does.
 */
final class BareClient implements AutoCloseable {
  private final SocketChannel channel;
  private final SelectionKey key;
  private final Bench.Work work;
  private final ByteBuffer memory;
  private final ByteBuffer header = ByteBuffer.allocateDirect(BareFrame.HEADER).limit(0);
  private final ByteBuffer acks;

  BareClient(int port, Bench.Work work, boolean blocking) throws IOException {
    this.work = work;
    memory = ByteBuffer.allocateDirect((int) work.memory());
    acks = ByteBuffer.allocateDirect(BareFrame.ACK * work.batch());
    channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(blocking);
    key = blocking ? null : channel.register(Selector.open(), SelectionKey.OP_READ);
  }

  Turns.Figure run() throws IOException {
    var clock = new BenchClock(work.warmUp(), work.duration());
    var latencies = new Histogram(3);
    long last = clock.measuredFrom();
    int round = work.batch() * (int) work.block();
    for (int from = 0; !clock.over(last); from = (from + round) % ((int) work.memory())) {
      long before = System.nanoTime();
      batch(from);
      last = System.nanoTime();
      if (before - clock.measuredFrom() >= 0) {
        latencies.recordValue(last - before);
      }
    }
    double bytes = (double) latencies.getTotalCount() * round;
    return new Turns.Figure(
        bytes * 1e9 / (last - clock.measuredFrom()), latencies.getValueAtPercentile(50));
  }

  private void batch(int from) throws IOException {
    if (key == null) {
      exchange(from);
    } else {
      pipeline(from);
    }
  }

  /** One request at a time, on a blocking channel. */
  private void exchange(int from) throws IOException {
    for (int i = 0; i < work.batch(); i++) {
      int offset = from + i * (int) work.block();
      var payload = memory.clear().position(offset).limit(offset + (int) work.block());
      boolean write = work.operation() == Operation.WRITE;
      put(write, offset);
      if (write) {
        channel.write(new ByteBuffer[] {header, payload});
      } else {
        channel.write(header);
      }
      var answer = write ? acks.clear().limit(BareFrame.ACK) : payload;
      while (answer.hasRemaining()) {
        read(answer);
      }
    }
  }

  private void put(boolean write, int offset) {
    BareFrame.put(header, write ? BareFrame.WRITE : BareFrame.READ, offset, work.block());
  }

  /** All requests of the batch as fast as they go, and their answers as they come. */
  private void pipeline(int from) throws IOException {
    boolean write = work.operation() == Operation.WRITE;
    int block = (int) work.block();
    var answers = write ? acks.clear() : memory.duplicate().position(from).limit(from + round());
    var payload = memory.duplicate().limit(0);
    int next = 0;
    while (answers.hasRemaining()) {
      boolean stuck = false;
      while (!stuck && (next < work.batch() || header.hasRemaining() || payload.hasRemaining())) {
        if (!header.hasRemaining() && !payload.hasRemaining()) {
          int offset = from + next++ * block;
          put(write, offset);
          payload.limit(write ? offset + block : 0).position(write ? offset : 0);
        }
        channel.write(header);
        if (!header.hasRemaining() && payload.hasRemaining()) {
          channel.write(payload);
        }
        stuck = header.hasRemaining() || payload.hasRemaining();
      }
      if (read(answers) == 0) {
        key.interestOps(SelectionKey.OP_READ | (stuck ? SelectionKey.OP_WRITE : 0));
        key.selector().select(_ -> {});
      }
    }
  }

  private int round() {
    return work.batch() * (int) work.block();
  }

  private int read(ByteBuffer into) throws IOException {
    int count = channel.read(into);
    if (count < 0) {
      throw new IOException("the bare peer went away");
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    if (key != null) {
      key.selector().close();
    }
  }

  /** A piece of work like another, of so long. */
  static Bench.Work work(
      Operation operation, long block, int batch, Duration warmUp, Duration time) {
    return new Bench.Work(
        operation, block, batch, 1, block * batch, warmUp, time, Duration.ofSeconds(60), false);
  }
}
