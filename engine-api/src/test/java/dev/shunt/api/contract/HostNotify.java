package dev.shunt.api.contract;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Notification;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.NotifyFrame;
import dev.shunt.api.spi.NotifyListener;
import dev.shunt.api.spi.NotifyOrigin;
import dev.shunt.api.spi.NotifyPort;
import dev.shunt.api.spi.RawFrame;
import dev.shunt.api.spi.RetireReason;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** A lane's notifications: uses ports as the runtime does, and notes what they get wrong. */
final class HostNotify implements NotifyListener {
  /** How long frames may wait for a slot. */
  static final long SLOT_WAIT = Contract.SECOND;

  private final HostLane lane;
  private final Map<ConnectRequest, Answer> asked = new HashMap<>();
  // Looked up by identity, and never iterated over.
  private final Map<NotifyPort, Port> ports = new IdentityHashMap<>();
  private final List<String> arrived = new ArrayList<>();
  private boolean takes = true;

  HostNotify(HostLane lane) {
    this.lane = lane;
  }

  /** What became of a request for a port. */
  static final class Answer {
    private final ConnectRequest request;
    private final Stage stage;
    private Port port;
    private Fault fault;
    private long at;

    Answer(ConnectRequest request, Stage stage) {
      this.request = request;
      this.stage = stage;
    }

    boolean answered() {
      return port != null || fault != null;
    }

    Fault fault() {
      return fault;
    }

    long late() {
      return at - request.deadline();
    }

    @Override
    public String toString() {
      return request.id() + (port != null ? " is up" : " failed: " + fault);
    }
  }

  /** Asks for a port of host {@code a} to {@code b}. */
  static Answer ask(ContractBench bench) {
    var lane = bench.a().lane(0);
    var request =
        bench.request(
            bench.remote(), bench.a().freshId(), 0, 0, bench.rail(0), 5 * Contract.SECOND);
    var answer = new Answer(request, bench.stage());
    lane.notifications().asked.put(request, answer);
    bench.a().supervisor().execute(() -> bench.a().transport().openPort(request));
    return answer;
  }

  /** A port that is up. */
  static Port up(ContractBench bench) {
    var answer = ask(bench);
    bench.await("a request for a port is answered", answer::answered);
    assertNotNull(answer.port, answer::toString);
    answer.port.receiver = bench.b();
    return answer.port;
  }

  /** Whether what arrives is taken. */
  void takes(boolean now) {
    takes = now;
  }

  static List<String> texts(List<Frame> frames) {
    return frames.stream().map(Frame::text).toList();
  }

  /** One notification. */
  static final class Frame implements NotifyFrame {
    private final String text;
    private final MemorySegment bytes;
    private final long slotDeadline;
    private boolean delivered;
    private Fault fault;

    Frame(int number, int length, long slotDeadline) {
      this.slotDeadline = slotDeadline;
      var begin = number + ".";
      // Eight bytes of lengths; a frame that is too short for its number says nothing.
      text = begin.length() > length - 8 ? "" : begin + "x".repeat(length - 8 - begin.length());
      var raw = new byte[length];
      var frame = text.length() <= RawFrame.MAX - 8 ? RawFrame.of(new Notification("", text)) : raw;
      System.arraycopy(frame, 0, raw, 0, Math.min(length, frame.length));
      bytes = MemorySegment.ofArray(raw);
    }

    String text() {
      return text;
    }

    boolean wasDelivered() {
      return delivered;
    }

    Fault fault() {
      return fault;
    }

    @Override
    public MemorySegment bytes() {
      return bytes;
    }

    @Override
    public long slotDeadline() {
      return slotDeadline;
    }

    @Override
    public String toString() {
      return text.substring(0, Math.min(8, text.length()))
          + (delivered ? " delivered" : fault != null ? " failed: " + fault : " pending");
    }
  }

  /** A port, and what was posted on it. */
  static final class Port {
    private final HostNotify notify;
    private final NotifyPort port;
    private final List<Frame> posted = new ArrayList<>();
    private final List<Frame> delivered = new ArrayList<>();
    private ContractHost receiver;
    private int pending;
    private Fault down;

    Port(HostNotify notify, NotifyPort port) {
      this.notify = notify;
      this.port = port;
    }

    NotifyPort port() {
      return port;
    }

    List<Frame> posted() {
      return posted;
    }

    List<Frame> delivered() {
      return delivered;
    }

    List<String> texts() {
      return HostNotify.texts(posted);
    }

    int pending() {
      return pending;
    }

    Fault down() {
      return down;
    }

    /** What arrived at the receiver, on whichever lane. */
    List<String> arrived() {
      var all = new ArrayList<String>();
      for (int i = 0; i < receiver.lanes(); i++) {
        all.addAll(receiver.lane(i).notifications().arrived);
      }
      return all;
    }

    /** Posts one of a length. */
    Frame post(int length) {
      long now = notify.lane.host().stage().now();
      var frame = new Frame(posted.size(), length, now + SLOT_WAIT);
      posted.add(frame);
      pending++;
      notify.lane.enter();
      port.post(frame, now);
      notify.lane.exit();
      return frame;
    }

    void retire(RetireReason reason) {
      notify.lane.enter();
      port.retire(reason, notify.lane.host().stage().now());
      notify.lane.exit();
    }

    /** What was told to be delivered is there, and nothing is there twice. */
    void assertDeliveredArrived() {
      var there = arrived();
      var mine = new HashSet<>(there);
      for (var frame : delivered) {
        assertTrue(mine.contains(frame.text()), () -> "delivered, and lost: " + frame);
      }
      for (int i = 0; i < receiver.lanes(); i++) {
        receiver.lane(i).notifications().arrived.clear();
      }
    }
  }

  @Override
  public void portUp(ConnectRequest request, NotifyPort port) {
    lane.onLane("portUp");
    var answer = answer(request);
    if (answer != null) {
      if (!port.link().id().equals(request.id())) {
        lane.host().violated("portUp for " + request.id() + " brings " + port.link().id());
      }
      answer.port = new Port(this, port);
      ports.put(port, answer.port);
    }
  }

  @Override
  public void portFailed(ConnectRequest request, Fault fault) {
    lane.onLane("portFailed");
    var answer = answer(request);
    if (answer != null) {
      answer.fault = fault;
    }
  }

  private Answer answer(ConnectRequest request) {
    var answer = asked.get(request);
    if (answer == null) {
      lane.host().violated("an answer to a request for a port that was not made: " + request);
    } else if (answer.answered()) {
      lane.host().violated("a second answer to the request for a port " + answer);
      return null;
    } else {
      answer.at = answer.stage.now();
    }
    return answer;
  }

  @Override
  public void delivered(NotifyPort port, NotifyFrame frame) {
    var mine = reported(port, frame);
    mine.delivered = true;
    ports.get(port).delivered.add(mine);
  }

  @Override
  public void failed(NotifyPort port, NotifyFrame frame, Fault fault) {
    reported(port, frame).fault = fault;
  }

  private Frame reported(NotifyPort port, NotifyFrame frame) {
    lane.onLane("a report of a frame");
    var mine = (Frame) frame;
    if (mine.delivered || mine.fault != null) {
      lane.host().violated("a frame is reported twice: " + mine);
    }
    ports.get(port).pending--;
    return mine;
  }

  @Override
  public void portDown(NotifyPort port, Fault fault) {
    lane.onLane("portDown");
    var mine = ports.get(port);
    if (mine.down != null) {
      lane.host().violated("portDown twice");
    }
    if (mine.pending != 0) {
      lane.host().violated("portDown while " + mine.pending + " frames are not reported");
    }
    mine.down = fault;
  }

  @Override
  public boolean received(NotifyOrigin origin, MemorySegment frame) {
    lane.onLane("a frame that arrives");
    if (takes) {
      arrived.add(RawFrame.read(frame).message());
    }
    return takes;
  }
}
