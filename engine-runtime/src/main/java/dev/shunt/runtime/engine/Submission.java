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
import dev.shunt.runtime.peer.SegmentHandle;
import dev.shunt.runtime.transfer.BatchHandle;
import dev.shunt.runtime.transfer.LanePart;
import dev.shunt.runtime.transfer.LaneRoute;
import dev.shunt.runtime.transfer.core.RequestState;
import dev.shunt.runtime.transport.TransportHost.Home;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * One call of submit: checks each request, takes room for those that are good, hands them to lanes.
 */
final class Submission {
  private final Object engine;
  private final BufferTable buffers;
  private final BatchHandle handle;
  private final LongAdder rejected;
  private final List<Group> groups = new ArrayList<>(1);
  private Group last;
  private Map<LaneRoute, Group> byRoute;

  /** Requests that go the same way. */
  private static final class Group {
    private final Home home;
    private final List<RequestState> requests;
    private int room;

    Group(Home home, int expected) {
      this.home = home;
      this.requests = new ArrayList<>(expected);
    }
  }

  /**
   * A submission for an engine's handle.
   *
   * @param rejected counts requests that no lane takes
   */
  Submission(Object engine, BufferTable buffers, BatchHandle handle, LongAdder rejected) {
    this.rejected = rejected;
    this.engine = engine;
    this.buffers = buffers;
    this.handle = handle;
  }

  /** Checks all requests; those that are wrong, or have nothing to do, end here. */
  void check(List<Request> requests) {
    for (int i = 0; i < requests.size(); i++) {
      check(i, requests.size(), requests.get(i));
    }
  }

  private void check(int index, int count, Request request) {
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
    var home = segment.state().home();
    var write = request.operation() == Operation.WRITE;
    if (home.isEmpty() || (!write && !home.get().host().worker().limits().reads())) {
      reject(index, new Rejection.NoTransport(segment.name(), request.operation()));
      return;
    }
    var remote = segment.covering(request.remoteAddress(), length);
    if (remote < 0) {
      reject(
          index, new Rejection.RemoteOutOfRange(segment.name(), request.remoteAddress(), length));
      return;
    }
    var access = segment.buffers().get(remote).access();
    if (write ? !access.writable() : !access.readable()) {
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
    var buffer = local.isNative() ? buffers.covering(local.address(), length) : none();
    if (buffer.isEmpty()) {
      reject(index, new Rejection.LocalNotRegistered(local.address(), length));
      return;
    }
    accept(index, count, write, request, buffer.get(), segment.keys(remote), home.get());
  }

  private static java.util.Optional<RegisteredBuffer> none() {
    return java.util.Optional.empty();
  }

  private void accept(
      int index,
      int count,
      boolean write,
      Request request,
      RegisteredBuffer buffer,
      long[] remoteKeys,
      Home home) {
    if (!write && buffer.memory().isReadOnly()) {
      reject(index, new Rejection.LocalNotRegistered(buffer.address(), request.length()));
      return;
    }
    if (!buffer.hold()) {
      reject(index, new Rejection.BufferDraining(request.local().address(), request.length()));
      return;
    }
    group(home, count - index)
        .requests
        .add(
            new RequestState(
                index,
                write,
                buffer.memory(),
                request.local().address() - buffer.address(),
                request.length(),
                request.remoteAddress(),
                buffer.keys(home.host().index()),
                remoteKeys,
                buffer));
  }

  /** Most batches go one way: only one that does not pays for a map. */
  private Group group(Home home, int expected) {
    var route = home.route();
    if (last != null && last.home.route() == route) {
      return last;
    }
    if (last == null) {
      last = new Group(home, expected);
      groups.add(last);
      return last;
    }
    if (byRoute == null) {
      byRoute = new HashMap<>();
      byRoute.put(last.home.route(), last);
    }
    last = byRoute.get(route);
    if (last == null) {
      last = new Group(home, 1);
      groups.add(last);
      byRoute.put(route, last);
    }
    return last;
  }

  private void reject(int index, Rejection rejection) {
    rejected.increment();
    handle.requestEnded(index, new Outcome.Error(Failure.rejected(rejection)));
  }

  /**
   * Takes room on each route.
   *
   * @param nanos how long to wait; 0 to be refused at once
   * @throws ShuntException with BUSY or DEADLINE; nothing is held then
   */
  void takeRoom(Batch.WhenFull whenFull, long nanos) {
    var until = System.nanoTime() + nanos;
    for (var group : groups) {
      var route = group.home.route();
      // A batch that is larger than the whole queue goes when it can have all of it.
      var wanted = Math.min(group.requests.size(), route.queue());
      var got = route.room().tryAcquire(wanted);
      if (!got && whenFull == Batch.WhenFull.WAIT) {
        got = waitForRoom(route, wanted, until);
      }
      if (!got) {
        giveBack();
        throw new ShuntException(
            whenFull == Batch.WhenFull.BUSY ? FailureCode.BUSY : FailureCode.DEADLINE,
            "no room for "
                + group.requests.size()
                + " requests to "
                + route.remote().name()
                + " among the "
                + route.queue()
                + " that may wait (shunt.transfer.queue)");
      }
      group.room = wanted;
    }
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
    for (var group : groups) {
      group.home.route().room().release(group.room);
      group.requests.forEach(request -> request.hold().released());
    }
  }

  /**
   * Hands all parts to their lanes.
   *
   * @param submitted when the caller began, in nanoseconds
   */
  void go(long submitted, long deadline, java.util.function.LongSupplier order) {
    handle.expect(groups.size());
    var parts = new LanePart[groups.size()];
    for (int i = 0; i < parts.length; i++) {
      var group = groups.get(i);
      var route = group.home.route();
      var requests = group.requests.toArray(RequestState[]::new);
      var part =
          new LanePart(
              handle,
              route,
              group.home.lane(),
              requests,
              group.room,
              submitted,
              deadline,
              order.getAsLong());
      route.queuedRequests().addAndGet(requests.length);
      parts[i] = part;
      if (!part.submit()) {
        rejected.add(requests.length);
        part.refuse(Failure.of(FailureCode.CLOSED, "the engine is closed"));
      }
    }
    handle.submitted(parts);
  }
}
