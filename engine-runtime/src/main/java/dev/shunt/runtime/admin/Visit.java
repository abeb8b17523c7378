package dev.shunt.runtime.admin;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection, which brings one request. On a thread of its own; closed by others too. */
final class Visit implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Visit.class);
  private static final int MOST_HEAD = 16 << 10;
  private static final int LINGER_MILLIS = 500;
  private static final int MOST_LEFT = 64 << 10;

  private final Socket socket;
  private volatile long until;
  private volatile Stage stage = Stage.ASKING;
  private boolean headOnly;

  /** How far it is. */
  enum Stage {
    /** It has not said yet what it wants. */
    ASKING,
    /** It is being answered. */
    ANSWERED,
    /** The same, with something that takes long. */
    STAYING,
    /** It has its answer. */
    LEAVING
  }

  /** What answers. */
  interface Handler {
    void handle(RequestHead request, Visit visit) throws IOException;
  }

  /**
   * It has come.
   *
   * @param patience in nanoseconds, for all of it
   */
  Visit(Socket socket, long patience) {
    this.socket = socket;
    this.until = System.nanoTime() + patience;
  }

  Stage stage() {
    return stage;
  }

  boolean over(long now) {
    return until - now < 0;
  }

  /** It may take longer than others. */
  void stay(long nanos) {
    until = System.nanoTime() + nanos;
    stage = Stage.STAYING;
  }

  void serve(Handler handler) {
    try {
      var bytes = new byte[MOST_HEAD];
      int count = 0;
      int end;
      while ((end = RequestHead.end(bytes, count)) == 0 && count < bytes.length) {
        int more = socket.getInputStream().read(bytes, count, bytes.length - count);
        if (more < 0) {
          return;
        }
        count += more;
      }
      stage = Stage.ANSWERED;
      var head = RequestHead.parse(bytes, end);
      if (end == 0) {
        send(431, "text/plain", "", "at most 16 KiB of head\n".getBytes(StandardCharsets.UTF_8));
      } else if (head.isEmpty()) {
        send(400, "text/plain", "", "no request of HTTP/1\n".getBytes(StandardCharsets.UTF_8));
      } else {
        headOnly = head.get().method().equals("HEAD");
        handler.handle(head.get(), this);
      }
      linger();
    } catch (IOException gone) {
      LOG.debug("a visitor is gone: {}", gone.toString());
    }
  }

  /** Answers; once. */
  void send(int code, String type, String header, byte[] body) throws IOException {
    head(code, type, header, body.length);
    if (!headOnly) {
      socket.getOutputStream().write(body);
    }
  }

  /** Answers with a file; once. */
  void send(int code, String type, Path file) throws IOException {
    head(code, type, "", Files.size(file));
    if (!headOnly) {
      Files.copy(file, socket.getOutputStream());
    }
  }

  private void head(int code, String type, String header, long length) throws IOException {
    var text =
        "HTTP/1.1 %d %s\r\nConnection: close\r\nCache-Control: no-store\r\n"
                .formatted(code, reason(code))
            + "Content-Type: %s\r\nContent-Length: %d\r\n%s\r\n".formatted(type, length, header);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String reason(int code) {
    return switch (code) {
      case 200 -> "OK";
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 431 -> "Request Header Fields Too Large";
      case 503 -> "Service Unavailable";
      default -> "Internal Server Error";
    };
  }

  /**
   * A socket that is closed over unread bytes takes its answer back: some are read, for a while.
   */
  private void linger() throws IOException {
    stage = Stage.LEAVING;
    socket.shutdownOutput();
    socket.setSoTimeout(LINGER_MILLIS);
    var until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LINGER_MILLIS);
    var rest = new byte[4096];
    try {
      for (int left = MOST_LEFT; left > 0 && System.nanoTime() - until < 0; ) {
        int count = socket.getInputStream().read(rest);
        if (count < 0) {
          return;
        }
        left -= count;
      }
    } catch (SocketTimeoutException silent) {
      LOG.debug("a visitor stays silent: {}", silent.toString());
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debug("closing a visitor's socket: {}", e.toString());
    }
  }
}
