package org.example.shunt.unix;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Link;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.RetireReason;
import dev.shunt.api.spi.Slice;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** Requests that go out on one connection, and are answered in their order. */
final class UnixChannel implements Channel, Stream.Handler {
  /** Slices that it holds; a power of two. */
  static final int DEPTH = 64;

  /** Frames that are handled in one turn. */
  private static final int TURN = 32;

  private enum State {
    CONNECTING,
    UP,
    DOWN
  }

  private final UnixLane lane;
  private final ConnectRequest request;
  private final UnixLink link;
  private final Stream stream;
  private final ByteBuffer out = Frames.buffer();
  private final ByteBuffer in = Frames.buffer();
  private final Slice[] ring = new Slice[DEPTH];
  private State state = State.CONNECTING;

  // Slices from answered on wait for an answer, those from sent on are still to be sent.
  private long answered;
  private long sent;
  private long posted;
  private boolean sending;
  private boolean receiving;
  private long outAt;
  private long inAt;

  UnixChannel(UnixLane lane, Selector selector, ConnectRequest request, Path path)
      throws IOException {
    this.lane = lane;
    this.request = request;
    this.link = UnixLink.of(request);
    var socket = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      stream = new Stream(selector, socket, SelectionKey.OP_CONNECT, this);
      boolean there = socket.connect(UnixDomainSocketAddress.of(path));
      Frames.hello(out, request.id(), generation());
      Frames.expect(in, Frames.WELCOME);
      if (there) {
        stream.interest(true);
      }
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private long generation() {
    return request.remote() instanceof Remote.Node node ? node.generation() : 0;
  }

  @Override
  public Link link() {
    return link;
  }

  @Override
  public int room() {
    return state == State.UP ? DEPTH - (int) (posted - answered) : 0;
  }

  @Override
  public void post(Slice slice, long now) {
    ring[(int) (posted++ & (DEPTH - 1))] = slice;
  }

  @Override
  public void flush(long now) {
    if (state == State.UP) {
      ready(now);
    }
  }

  @Override
  public boolean fence(LinkId stale, long now) {
    // The remote is fenced by word: see Limits.
    return false;
  }

  /** When it has to be up, or else it has no deadline of its own. */
  long deadline() {
    return state == State.CONNECTING ? request.deadline() : Long.MAX_VALUE;
  }

  boolean expire(long now) {
    if (deadline() == Long.MAX_VALUE || now - deadline() < 0) {
      return false;
    }
    end(Fault.Blame.REMOTE, FailureCode.DEADLINE, "the peer did not welcome us in time");
    return true;
  }

  @Override
  public void ready(long now) {
    try {
      if (state == State.CONNECTING) {
        greet();
      }
      if (state == State.UP) {
        boolean more = send();
        receive();
        if (state == State.UP) {
          stream.interest(more);
        }
      }
    } catch (IOException e) {
      end(Fault.Blame.REMOTE, FailureCode.CONNECTION, e.getMessage());
    }
  }

  private void greet() throws IOException {
    if (!stream.channel().finishConnect()) {
      return;
    }
    boolean said = stream.drain(out);
    stream.interest(!said);
    if (!said || !stream.fill(in)) {
      return;
    }
    switch (in.getInt(0)) {
      case Frames.OK -> {
        state = State.UP;
        Frames.expect(in, Frames.ANSWER);
        lane.listener().channelUp(request, this);
      }
      case Frames.STALE ->
          end(Fault.Blame.NEUTRAL, FailureCode.STALE_GENERATION, "the peer is another process now");
      case Frames.FENCED ->
          end(Fault.Blame.NEUTRAL, FailureCode.CONNECTION, "the peer was told to refuse this link");
      case Frames.BUSY ->
          end(
              Fault.Blame.REMOTE,
              FailureCode.CONNECTION,
              "the peer serves as many connections as it may (max-inbound)");
      default -> end(Fault.Blame.REMOTE, FailureCode.PROTOCOL, "the peer's welcome has no sense");
    }
  }

  /** Sends what fits; true if there is more. */
  private boolean send() throws IOException {
    while (sent < posted) {
      var slice = slice(sent);
      if (!sending) {
        Frames.request(
            out, slice.write(), slice.remoteAddress(), slice.length(), slice.remoteKey());
        sending = true;
        outAt = 0;
      }
      if (!stream.drain(out)) {
        return true;
      }
      if (slice.write()) {
        while (outAt < slice.length()) {
          int n = stream.write(slice.memory(), slice.offset() + outAt, slice.length() - outAt);
          if (n == 0) {
            return true;
          }
          outAt += n;
        }
      }
      sending = false;
      sent++;
    }
    return false;
  }

  private void receive() throws IOException {
    for (int turn = 0; turn < TURN && state == State.UP; turn++) {
      if (!receiving) {
        if (!stream.fill(in)) {
          return;
        }
        if (answered == sent || in.getLong(8) != slice(answered).length()) {
          end(Fault.Blame.REMOTE, FailureCode.PROTOCOL, "the peer answered what nobody asked");
          return;
        }
        receiving = true;
        inAt = 0;
      }
      var slice = slice(answered);
      int status = in.getInt(0);
      if (status == Frames.OK && !slice.write()) {
        int n = stream.read(slice.memory(), slice.offset() + inAt, slice.length() - inAt);
        inAt += n;
        if (inAt < slice.length()) {
          if (n == 0) {
            return;
          }
          continue;
        }
      }
      receiving = false;
      Frames.expect(in, Frames.ANSWER);
      ring[(int) (answered++ & (DEPTH - 1))] = null;
      report(slice, status);
    }
  }

  private void report(Slice slice, int status) {
    switch (status) {
      case Frames.OK -> lane.listener().completed(slice);
      case Frames.ACCESS ->
          lane.listener().failed(slice, refusal(FailureCode.REMOTE_ACCESS, "is not allowed"));
      case Frames.RANGE ->
          lane.listener().failed(slice, refusal(FailureCode.REMOTE_RANGE, "is not registered"));
      default ->
          lane.listener()
              .failed(slice, refusal(FailureCode.REMOTE_RANGE, "is another registration now"));
    }
  }

  private static Fault refusal(FailureCode code, String why) {
    return new Fault(
        Fault.Blame.REQUEST, code, Fault.Effect.NONE, "the peer refused it: the range " + why);
  }

  private Slice slice(long at) {
    return ring[(int) (at & (DEPTH - 1))];
  }

  @Override
  public void retire(RetireReason reason, long now) {
    var code =
        switch (reason) {
          case CLOSED -> FailureCode.CLOSED;
          case STALE_GENERATION -> FailureCode.STALE_GENERATION;
          case PROTOCOL -> FailureCode.PROTOCOL;
          case STALLED, RAIL_INACTIVE, EVICTED -> FailureCode.CONNECTION;
        };
    end(Fault.Blame.NEUTRAL, code, "the connection was given up: " + reason);
  }

  /** The lane ends. */
  void closed() {
    end(Fault.Blame.NEUTRAL, FailureCode.CLOSED, "the engine is closing");
  }

  /**
   * Closes the socket, and with it lets go of all memory; then reports. What was sent may still lie
   * in the socket, and be applied, until the peer has been told to fence the link.
   */
  private void end(Fault.Blame blame, FailureCode code, String text) {
    if (state == State.DOWN) {
      return;
    }
    boolean wasUp = state == State.UP;
    state = State.DOWN;
    stream.close();
    lane.remove(this);
    var none = new Fault(blame, code, Fault.Effect.NONE, text);
    var possible = new Fault(blame, code, Fault.Effect.POSSIBLE, text);
    if (!wasUp) {
      lane.listener().connectFailed(request, none);
      return;
    }
    for (; answered < posted; answered++) {
      var slice = slice(answered);
      boolean begun = answered < sent || (answered == sent && sending);
      lane.listener().failed(slice, slice.write() && begun ? possible : none);
    }
    lane.listener().channelDown(this, none);
  }
}
