package dev.shunt.runtime.control.golden;

import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.golden.Recording.Section;
import dev.shunt.runtime.control.golden.Recording.Sign;
import dev.shunt.runtime.control.golden.TentFrame.Form;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Plays the server of a recorded section to a client. A request is answered as the first of its
 * kind, with the same bytes after the head, that was not answered yet: so a client may have other
 * connections than the one that was recorded, and leave requests out; what it sends must be what
 * was sent then, in the form of a release build. A subscription may name any address.
 */
public final class GoldenServer implements AutoCloseable {
  private final Form form;
  private final ServerSocket listener;
  private final List<Turn> turns;
  private final List<Turn> left;
  private final List<String> complaints = new ArrayList<>();
  private final List<Socket> accepted = new ArrayList<>();
  private volatile boolean repeats;

  /**
   * A request, and what came of it.
   *
   * @param line of the request in the recording
   * @param request as it was recorded
   * @param answer as it was recorded: maybe cut, maybe none
   * @param end SERVER_ENDS or SERVER_RESETS if the server closed after it, FROM_SERVER if it did
   *     not
   */
  public record Turn(int line, TentFrame request, byte[] answer, Sign end) {
    /** What is called. */
    public int function() {
      return request.function();
    }

    /** The request itself. */
    public byte[] attachment() {
      return request.attachment();
    }

    private Turn answered(byte[] bytes) {
      return new Turn(line, request, bytes, end);
    }

    private Turn ended(Sign by) {
      return new Turn(line, request, answer, by);
    }
  }

  /** Listens on a free port of this machine, and answers in that form. */
  public GoldenServer(Section section, Form form) throws IOException {
    this.form = form;
    this.turns = turns(section);
    this.left = new ArrayList<>(turns);
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /**
   * Answers what leads up to data, descriptors and subscriptions, as often as it is asked: a client
   * may have more connections than the one that was recorded.
   */
  public GoldenServer repeating() {
    repeats = true;
    return this;
  }

  /** Where it listens, as {@code host:port}. */
  public String address() {
    return listener.getInetAddress().getHostAddress() + ":" + listener.getLocalPort();
  }

  /** Where it listens. */
  public InetSocketAddress socketAddress() {
    return (InetSocketAddress) listener.getLocalSocketAddress();
  }

  /** All that was recorded, in its order. */
  public List<Turn> turns() {
    return turns;
  }

  /** What was not asked yet. */
  public synchronized List<Turn> left() {
    return List.copyOf(left);
  }

  /** What the client sent that was not recorded. */
  public synchronized List<String> complaints() {
    return List.copyOf(complaints);
  }

  @Override
  public synchronized void close() throws IOException {
    listener.close();
    for (var socket : accepted) {
      socket.close();
    }
  }

  private static List<Turn> turns(Section section) {
    var turns = new ArrayList<Turn>();
    var waiting = new TreeMap<Integer, ArrayDeque<Integer>>();
    var last = new TreeMap<Integer, Integer>();
    for (var step : section.steps()) {
      var open = waiting.computeIfAbsent(step.connection(), n -> new ArrayDeque<>());
      switch (step.sign()) {
        case TO_SERVER -> {
          for (var request : TentFrame.split(step.bytes(), TentFrame.REQUEST)) {
            open.add(turns.size());
            turns.add(new Turn(step.line(), request, new byte[0], Sign.FROM_SERVER));
          }
        }
        case FROM_SERVER -> {
          last.put(step.connection(), open.poll());
          turns.set(last.get(step.connection()), at(turns, last, step).answered(step.bytes()));
        }
        case SERVER_ENDS, SERVER_RESETS -> {
          var ended = open.isEmpty() ? last.get(step.connection()) : open.poll();
          if (ended != null) {
            turns.set(ended, turns.get(ended).ended(step.sign()));
          }
        }
        // What comes after the client has left is its doing.
        case CLIENT_ENDS, CLIENT_RESETS -> last.remove(step.connection());
        default -> {}
      }
    }
    return List.copyOf(turns);
  }

  private static Turn at(List<Turn> turns, Map<Integer, Integer> last, Recording.Step step) {
    return turns.get(last.get(step.connection()));
  }

  private void accept() {
    try {
      while (true) {
        var socket = listener.accept();
        synchronized (this) {
          accepted.add(socket);
        }
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      var in = socket.getInputStream();
      while (true) {
        var head = in.readNBytes(TentFrame.REQUEST);
        if (head.length < TentFrame.REQUEST) {
          return;
        }
        var rest = in.readNBytes((int) TentFrame.length(head) - head.length);
        var all = Arrays.copyOf(head, head.length + rest.length);
        System.arraycopy(rest, 0, all, head.length, rest.length);
        var request = TentFrame.split(all, TentFrame.REQUEST).getFirst();
        var turn = next(request);
        if (turn == null) {
          return;
        }
        socket.getOutputStream().write(answer(turn, request));
        if (turn.end() == Sign.SERVER_RESETS) {
          socket.setSoLinger(true, 0);
        }
        if (turn.end() != Sign.FROM_SERVER) {
          return;
        }
      }
    } catch (IOException gone) {
      // The client has left.
    }
  }

  private synchronized Turn next(TentFrame request) {
    for (var turn : left) {
      if (alike(turn, request)) {
        left.remove(turn);
        return turn;
      }
    }
    if (repeats) {
      for (var turn : turns) {
        boolean leadsUp =
            turn.function() == Functions.GET_SEGMENT_DESC || turn.function() == Functions.SUBSCRIBE;
        if (leadsUp && turn.end() == Sign.FROM_SERVER && good(turn) && alike(turn, request)) {
          return turn;
        }
      }
    }
    complaints.add("nothing like it was recorded: " + request);
    return null;
  }

  private static boolean good(Turn turn) {
    return turn.answer().length > 2 && turn.answer()[2] == 0;
  }

  private static boolean alike(Turn turn, TentFrame request) {
    var recorded = turn.request().in(Form.RELEASE).sequence(request.sequence());
    boolean head =
        Arrays.equals(
            recorded.head(), 0, TentFrame.REQUEST - 4, request.head(), 0, TentFrame.REQUEST - 4);
    boolean same = Arrays.equals(recorded.attachment(), request.attachment());
    boolean named =
        turn.function() == Functions.SUBSCRIBE
            && request.text().startsWith("\"")
            && request.text().endsWith("\"");
    return head && Arrays.equals(recorded.body(), request.body()) && (same || named);
  }

  private byte[] answer(Turn turn, TentFrame request) {
    var answer = turn.answer().clone();
    var frames = TentFrame.split(answer, TentFrame.REPLY);
    if (frames.size() == 1) {
      answer = frames.getFirst().in(form).bytes();
    }
    if (answer.length >= 8) {
      var numbers = ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN);
      // Where the recorded answer names another request than the recorded one, so does this.
      int off = numbers.getInt(4) - turn.request().sequence();
      numbers.putInt(4, request.sequence() + off);
    }
    return answer;
  }
}
