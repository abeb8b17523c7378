package dev.shunt.runtime.control.golden;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.golden.Recording.Section;
import dev.shunt.runtime.control.golden.Recording.Step;
import dev.shunt.runtime.control.golden.TentFrame.Form;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/** Plays the client of a recording to a server, and looks at each of its bytes. */
public final class GoldenClient {
  private static final int PATIENCE = 10_000;
  private static final int QUIET = 100;

  private final InetSocketAddress server;
  private final Map<Integer, Connection> connections = new TreeMap<>();

  private static final class Connection {
    final Socket socket = new Socket();
    final ArrayDeque<TentFrame> asked = new ArrayDeque<>();
  }

  /** Will play to this server. */
  public GoldenClient(InetSocketAddress server) {
    this.server = server;
  }

  /** Plays one section. */
  public void play(String recording, Section section) throws IOException {
    for (var step : section.steps()) {
      play(step, recording + ":" + step.line());
    }
    for (var connection : connections.values()) {
      connection.socket.close();
    }
    connections.clear();
  }

  private void play(Step step, String where) throws IOException {
    if (step.sign() == Recording.Sign.OPEN) {
      var opened = new Connection();
      opened.socket.connect(server, PATIENCE);
      opened.socket.setTcpNoDelay(true);
      connections.put(step.connection(), opened);
      return;
    }
    var connection = connections.get(step.connection());
    switch (step.sign()) {
      case TO_SERVER -> {
        connection.asked.addAll(TentFrame.split(step.bytes(), TentFrame.REQUEST));
        connection.socket.getOutputStream().write(step.bytes());
      }
      case FROM_SERVER -> answered(connection, step, where);
      case CLIENT_ENDS -> connection.socket.shutdownOutput();
      case SERVER_ENDS -> assertTrue(ended(connection), where + ": it goes on");
      case CLIENT_RESETS -> {
        connection.socket.setSoLinger(true, 0);
        connection.socket.close();
      }
      case QUIET -> {
        connection.socket.setSoTimeout(QUIET);
        assertFalse(heard(connection), where + ": it does not wait");
      }
      default -> throw new IllegalStateException(where);
    }
  }

  /** Whether anything comes, be it the end. */
  private static boolean heard(Connection connection) throws IOException {
    try {
      connection.socket.getInputStream().read();
      return true;
    } catch (SocketTimeoutException nothing) {
      return false;
    }
  }

  private static boolean ended(Connection connection) throws IOException {
    connection.socket.setSoTimeout(PATIENCE);
    try {
      return connection.socket.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  private static void answered(Connection connection, Step step, String where) throws IOException {
    var got = read(connection.socket, where);
    assertTrue(got.has(Form.RELEASE), where + ": the form of a release build");
    if (step.bytes().length == 0) {
      assertEquals(step.refused(), got.error(), where);
      return;
    }
    var recorded = TentFrame.split(step.bytes(), TentFrame.REPLY).getFirst().in(Form.RELEASE);
    var request = connection.asked.poll();
    assertEquals(recorded.sequence(), got.sequence(), where);
    int expected = step.refused() < 0 ? recorded.error() : step.refused();
    assertEquals(expected, got.error(), where + ": " + got.problem() + got.text());
    if (step.refused() == 0) {
      assertFalse(got.text().isEmpty(), where + ": a refusal");
      recorded = new TentFrame(recorded.head(), recorded.body(), got.attachment());
    } else if (expected != 0) {
      assertFalse(got.problem().isEmpty(), where + ": an error has a text");
      assertEquals(0, got.attachment().length, where);
      return;
    }
    same(request, recorded, got, where);
    assertArrayEquals(recorded.body(), got.body(), where);
    assertEquals(head(recorded), head(got), where);
  }

  private static void same(TentFrame request, TentFrame recorded, TentFrame got, String where) {
    switch (request.function()) {
      case Functions.GET_SEGMENT_DESC, Functions.BOOTSTRAP_RDMA ->
          assertEquals(JsonShape.of(recorded.text()), JsonShape.of(got.text()), where);
      case Functions.SEND_DATA ->
          assertEquals(recorded.text().isEmpty(), got.text().isEmpty(), where + got.text());
      case Functions.RECV_DATA -> {
        if (recorded.text().startsWith("RecvData failed")) {
          assertTrue(got.text().startsWith("RecvData failed"), where);
          assertNotEquals(request.asked(), got.attachment().length, where);
        } else {
          assertArrayEquals(recorded.attachment(), got.attachment(), where);
        }
      }
      default -> assertArrayEquals(recorded.attachment(), got.attachment(), where);
    }
  }

  /** All of a head but the length of the attachment, which was looked at. */
  private static String head(TentFrame frame) {
    return java.util.HexFormat.of().formatHex(frame.head(), 0, TentFrame.REPLY - 4);
  }

  private static TentFrame read(Socket socket, String where) throws IOException {
    socket.setSoTimeout(PATIENCE);
    var head = socket.getInputStream().readNBytes(TentFrame.REPLY);
    assertEquals(TentFrame.REPLY, head.length, where + ": the connection was closed");
    var rest = socket.getInputStream().readNBytes((int) TentFrame.length(head) - head.length);
    var all = java.util.Arrays.copyOf(head, head.length + rest.length);
    System.arraycopy(rest, 0, all, head.length, rest.length);
    return TentFrame.split(all, TentFrame.REPLY).getFirst();
  }
}
