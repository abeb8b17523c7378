package dev.shunt.runtime.engine;

import dev.shunt.api.Batch;
import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Operation;
import dev.shunt.api.Outcome;
import dev.shunt.api.Rejection;
import dev.shunt.api.Request;
import dev.shunt.api.ShuntException;
import dev.shunt.runtime.memory.BufferTable;
import dev.shunt.runtime.memory.RegisteredBuffer;
import dev.shunt.runtime.peer.Peers;
import dev.shunt.runtime.peer.RemoteState;
import dev.shunt.runtime.peer.SegmentHandle;
import dev.shunt.runtime.transfer.BatchHandle;
import dev.shunt.runtime.transfer.LanePart;
import dev.shunt.runtime.transfer.LaneRoute;
import dev.shunt.runtime.transfer.core.RailOrder;
import dev.shunt.runtime.transport.TransportHost.Home;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * One call of submit: checks each request, takes room for those that are good, hands them to lanes.
 * Most batches go one way; only one that does not has more than a single part, and lists for them.
 */
final class Submission {
  private static final LanePart[] NONE = {};

  private final Object engine;
  private final BufferTable buffers;
  private final BatchHandle handle;
  private final LongAdder rejected;
  private final Peers peers;
  private LanePart first;
  private List<LanePart> rest;
  private Map<LaneRoute, LanePart> byRoute;
  private LanePart last;

  /**
   * A submission for an engine's handle.
   *
   * @param rejected counts requests that no lane takes
   * @param peers hear of a remote whose descriptor lacks what was asked for
   */
  Submission(
      Object engine, BufferTable buffers, BatchHandle handle, LongAdder rejected, Peers peers) {
    this.rejected = rejected;
    this.engine = engine;
    this.peers = peers;
    this.buffers = buffers;
    this.handle = handle;
  }

  /**
   * Checks all requests; those that are wrong, or have nothing to do, end here.
   *
   * @param now nanoseconds
   */
  void check(List<Request> requests, long now) {
    try {
      for (int i = 0; i < requests.size(); i++) {
        check(i, requests.size(), requests.get(i), now);
      }
    } catch (RuntimeException | Error failed) {
      giveBack();
      throw failed;
    }
  }

  private void check(int index, int count, Request request, long now) {
    if (!(request.segment() instanceof SegmentHandle segment) || !segment.ownedBy(engine)) {
      reject(index, new Rejection.ForeignSegment(request.segment().name()));
      return;
    }
    var stale = segment.state().stale();
    if (stale != null) {
      rejected.increment();
      handle.requestEnded(index, new Outcome.Error(stale));
      return;
    }
    var length = request.length();
    if (length == 0) {
      handle.requestEnded(index, new Outcome.Completed(0));
      return;
    }
    var write = request.operation() == Operation.WRITE;
    if (!segment.state().carries(write)) {
      reject(index, new Rejection.NoTransport(segment.name(), request.operation()));
      return;
    }
    var view = segment.state().view();
    var remote = view.covering(request.remoteAddress(), length);
    if (remote < 0) {
      peers.refused(segment.state());
      reject(
          index, new Rejection.RemoteOutOfRange(segment.name(), request.remoteAddress(), length));
      return;
    }
    var access = view.buffers().get(remote).access();
    if (write ? !access.writable() : !access.readable()) {
      peers.refused(segment.state());
      reject(index, new Rejection.NotAllowed(segment.name(), request.operation(), access));
      return;
    }
    var block = segment.blockSize();
    if (request.remoteAddress() % block != 0 || length % block != 0) {
      reject(
          index, new Rejection.Misaligned(segment.name(), request.remoteAddress(), length, block));
      return;
    }
    var local = request.local();
    var buffer = local.isNative() ? buffers.around(local.address(), length) : null;
    if (buffer == null) {
      reject(index, new Rejection.LocalNotRegistered(local.address(), length));
      return;
    }
    var silent = peers.silence().refusal(segment.state());
    if (silent != null) {
      rejected.increment();
      handle.requestEnded(index, new Outcome.Error(silent));
      return;
    }
    int way = segment.state().choose(write, view, remote, buffer, now);
    if (way < 0) {
      reject(index, new Rejection.NoTransport(segment.name(), request.operation()));
      return;
    }
    accept(
        index,
        count,
        write,
        request,
        buffer,
        view.keys(remote, way),
        view.order(remote, way),
        segment.state(),
        way);
  }

  private void accept(
      int index,
      int count,
      boolean write,
      Request request,
      RegisteredBuffer buffer,
      long[] remoteKeys,
      RailOrder remoteRails,
      RemoteState state,
      int way) {
    if (!write && buffer.memory().isReadOnly()) {
      reject(index, new Rejection.LocalNotRegistered(buffer.address(), request.length()));
      return;
    }
    var home = state.way(way);
    var part = part(home);
    if (!buffer.hold()) {
      reject(index, new Rejection.BufferDraining(request.local().address(), request.length()));
      return;
    }
    var taken = part.add(count - index);
    taken.set(
        index,
        write,
        buffer.memory(),
        request.local().address() - buffer.address(),
        request.length(),
        request.remoteAddress(),
        buffer.keys(home.host().index()),
        remoteKeys,
        buffer);
    taken.way(way);
    taken.rails(home.host().order(buffer.location()), remoteRails);
  }

  private LanePart part(Home home) {
    var route = home.route();
    if (last != null && last.route() == route) {
      return last;
    }
    if (first == null) {
      first = home.lane().part(handle, route);
      last = first;
      return first;
    }
    if (byRoute == null) {
      rest = new ArrayList<>();
      byRoute = new HashMap<>();
      byRoute.put(first.route(), first);
    }
    last = byRoute.get(route);
    if (last == null) {
      last = home.lane().part(handle, route);
      rest.add(last);
      byRoute.put(route, last);
    }
    return last;
  }

  private void reject(int index, Rejection rejection) {
    rejected.increment();
    handle.requestEnded(index, new Outcome.Error(Failure.rejected(rejection)));
  }

  // ---- room

  /**
   * Takes room on each route.
   *
   * @param nanos how long to wait; 0 to be refused at once
   * @throws ShuntException with BUSY or DEADLINE; nothing is held then
   */
  void takeRoom(Batch.WhenFull whenFull, long nanos) {
    var until = System.nanoTime() + nanos;
    for (int i = 0; i < parts(); i++) {
      var part = part(i);
      var route = part.route();
      // A batch that is larger than the whole queue goes when it can have all of it.
      var wanted = Math.min(part.size(), route.queue());
      var got = route.room().tryAcquire(wanted);
      if (!got && whenFull == Batch.WhenFull.WAIT) {
        got = waitForRoom(route, wanted, until);
      }
      if (!got) {
        var refused = noRoom(whenFull, part);
        giveBack();
        throw refused;
      }
      part.room(wanted);
    }
  }

  private static ShuntException noRoom(Batch.WhenFull whenFull, LanePart part) {
    return new ShuntException(
        whenFull == Batch.WhenFull.BUSY ? FailureCode.BUSY : FailureCode.DEADLINE,
        "no room for "
            + part.size()
            + " requests to "
            + part.route().remote().name()
            + " among the "
            + part.route().queue()
            + " that may wait (shunt.transfer.queue)");
  }

  private boolean waitForRoom(LaneRoute route, int wanted, long until) {
    try {
      return route.room().tryAcquire(wanted, until - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      giveBack();
      Thread.currentThread().interrupt();
      throw new ShuntException(
          FailureCode.CANCELLED, "interrupted while waiting for room; nothing was submitted", e);
    }
  }

  /** Lets go of rooms and buffers: nothing will be submitted. */
  private void giveBack() {
    for (int i = 0; i < parts(); i++) {
      var part = part(i);
      part.route().room().release(part.room());
      part.drop();
    }
  }

  // ---- parts

  private int parts() {
    return first == null ? 0 : rest == null ? 1 : 1 + rest.size();
  }

  private LanePart part(int index) {
    return index == 0 ? first : rest.get(index - 1);
  }

  /**
   * Hands all parts to their lanes.
   *
   * @param now nanoseconds
   * @param deadline nanoseconds
   * @param order settles ties among deadlines
   */
  void go(long now, long deadline, long order) {
    int count = 0;
    for (int i = 0; i < parts(); i++) {
      count += part(i).size() > 0 ? 1 : 0;
    }
    handle.expect(count);
    for (int i = 0; i < parts(); i++) {
      var part = part(i);
      if (part.size() == 0) {
        // All that was to go this way was refused after all.
        part.drop();
        continue;
      }
      part.route().queuedRequests().addAndGet(part.size());
      int size = part.size();
      if (!part.submit(now, deadline, order)) {
        rejected.add(size);
        part.refuse(Failure.of(FailureCode.CLOSED, "the engine is closed"));
      }
    }
    handle.submitted(first, rest == null ? NONE : rest.toArray(LanePart[]::new));
  }
}
