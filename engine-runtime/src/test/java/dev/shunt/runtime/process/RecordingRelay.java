package dev.shunt.runtime.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Stands before a port, and keeps all that goes through, by connection. */
final class RecordingRelay implements AutoCloseable {
  private final InetSocketAddress far;
  private final ServerSocket server = new ServerSocket();
  private final List<Conversation> conversations = new CopyOnWriteArrayList<>();

  /** One connection, from its beginning to its end. */
  static final class Conversation {
    private final ByteArrayOutputStream there = new ByteArrayOutputStream();
    private final ByteArrayOutputStream back = new ByteArrayOutputStream();
    private final CountDownLatch over = new CountDownLatch(2);
    private final List<Socket> both;

    private Conversation(Socket accepted, Socket onward) {
      both = List.of(accepted, onward);
    }

    private void pump(InputStream from, OutputStream to, ByteArrayOutputStream kept) {
      var buffer = new byte[1 << 16];
      try {
        int count;
        while ((count = from.read(buffer)) > 0) {
          kept.write(buffer, 0, count);
          to.write(buffer, 0, count);
        }
        to.close();
      } catch (IOException reset) {
        both.forEach(RecordingRelay::cut);
      } finally {
        over.countDown();
      }
    }
  }

  /** What was said both ways. */
  record Said(byte[] there, byte[] back) {}

  RecordingRelay(InetSocketAddress near, InetSocketAddress far) throws IOException {
    this.far = far;
    server.setReuseAddress(true);
    server.bind(near);
    daemon(this::accept);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        var accepted = server.accept();
        var onward = new Socket();
        onward.connect(far, 5_000);
        accepted.setTcpNoDelay(true);
        onward.setTcpNoDelay(true);
        var each = new Conversation(accepted, onward);
        conversations.add(each);
        var streams = List.of(accepted.getInputStream(), onward.getInputStream());
        var ends = List.of(onward.getOutputStream(), accepted.getOutputStream());
        daemon(() -> each.pump(streams.get(0), ends.get(0), each.there));
        daemon(() -> each.pump(streams.get(1), ends.get(1), each.back));
      } catch (IOException closed) {
        // The test is over, or nobody listens there.
      }
    }
  }

  private static void daemon(Runnable run) {
    Thread.ofPlatform().daemon().start(run);
  }

  private static void cut(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // It was gone before.
    }
  }

  /** How many connections there are. */
  Supplier<Integer> count() {
    return conversations::size;
  }

  /** Waits until that function was called, and all that was called is answered. */
  void answered(int function) throws InterruptedException {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (true) {
      int asked = 0;
      int answers = 0;
      boolean called = false;
      for (var each : conversations) {
        for (var request : ControlFrames.requests(each.there.toByteArray())) {
          asked++;
          called |= ControlFrames.function(request) == function;
        }
        answers += ControlFrames.replies(each.back.toByteArray()).size();
      }
      if (called && asked == answers) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            answers
                + " answers to "
                + asked
                + " calls"
                + (called ? "" : ", not one of " + function));
      }
      Thread.sleep(1);
    }
  }

  /** Takes what was said so far, once all of it is over. */
  List<Said> take() throws InterruptedException {
    var said = new ArrayList<Said>();
    for (var each : conversations) {
      if (!each.over.await(20, TimeUnit.SECONDS)) {
        throw new AssertionError("a conversation does not end");
      }
      said.add(new Said(each.there.toByteArray(), each.back.toByteArray()));
    }
    conversations.clear();
    return said;
  }

  @Override
  public void close() throws IOException {
    server.close();
    conversations.forEach(each -> each.both.forEach(RecordingRelay::cut));
  }
}
