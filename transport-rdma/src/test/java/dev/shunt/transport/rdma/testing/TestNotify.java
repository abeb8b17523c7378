package dev.shunt.transport.rdma.testing;

import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.NotifyFrame;
import dev.shunt.api.spi.NotifyListener;
import dev.shunt.api.spi.NotifyOrigin;
import dev.shunt.api.spi.NotifyPort;
import dev.shunt.api.spi.RawFrame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** What a test's node hears of notifications, and what it does with those that arrive. */
public final class TestNotify implements NotifyListener {
  private final List<String> log;

  /** Answers to requests for ports. */
  public final Map<LinkId, NotifyPort> ports = new HashMap<>();

  /** Answers that were no. */
  public final Map<LinkId, Fault> refusals = new HashMap<>();

  /** What ended ports. */
  public final Map<NotifyPort, Fault> downs = new HashMap<>();

  /** Frames that were taken by the peer, in the order of their reports. */
  public final List<NotifyFrame> delivered = new ArrayList<>();

  /** Frames that were not, or may not have been, in the order of their reports. */
  public final List<NotifyFrame> failed = new ArrayList<>();

  /** Why. */
  public final Map<NotifyFrame, Fault> faults = new HashMap<>();

  /** Messages of the notifications that arrived. */
  public final List<String> arrived = new ArrayList<>();

  /** By which of their sender's links they came. */
  public final List<Long> links = new ArrayList<>();

  /** From where the last one came. */
  public NotifyOrigin origin;

  /** Whether what arrives is taken. */
  public BooleanSupplier takes = () -> true;

  TestNotify(List<String> log) {
    this.log = log;
  }

  /** How many frames were reported. */
  public int reports() {
    return delivered.size() + failed.size();
  }

  @Override
  public void portUp(ConnectRequest request, NotifyPort port) {
    log.add("port up " + request.id().attempt());
    ports.put(request.id(), port);
  }

  @Override
  public void portFailed(ConnectRequest request, Fault fault) {
    log.add("port refused " + request.id().attempt());
    refusals.put(request.id(), fault);
  }

  @Override
  public void delivered(NotifyPort port, NotifyFrame frame) {
    open(port);
    delivered.add(frame);
  }

  @Override
  public void failed(NotifyPort port, NotifyFrame frame, Fault fault) {
    failed.add(frame);
    faults.put(frame, fault);
  }

  @Override
  public void portDown(NotifyPort port, Fault fault) {
    open(port);
    log.add("port down " + port.link().id().attempt());
    downs.put(port, fault);
  }

  private void open(NotifyPort port) {
    if (downs.containsKey(port)) {
      throw new AssertionError("a report of a port that is down: " + port.link());
    }
  }

  @Override
  public boolean received(NotifyOrigin from, MemorySegment frame) {
    if (!takes.getAsBoolean()) {
      return false;
    }
    origin = from;
    links.add(from.attempt());
    arrived.add(RawFrame.read(frame).message());
    return true;
  }
}
