package dev.shunt.transport.rdma;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.rdma.core.WcStatus;
import dev.shunt.transport.rdma.verbs.QpAttributes;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.QpPeer;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsDevice;
import dev.shunt.transport.rdma.verbs.VerbsException;
import dev.shunt.transport.rdma.verbs.VerbsQp;
import dev.shunt.transport.rdma.verbs.VerbsRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A write from a port to itself, from one QP to another, by the address that peers use. What it
 * brought is compared. The supervisor's; what may block runs as an attempt.
 */
final class Loopback {
  private static final Logger LOG = LoggerFactory.getLogger(Loopback.class);
  private static final int LENGTH = 4096;
  private static final long POLL_INTERVAL = 1_000_000L;
  private static final int ACCESS = Verbs.ACCESS_LOCAL_WRITE | Verbs.ACCESS_REMOTE_WRITE;

  private final TransportContext context;
  private final RdmaRail rail;
  private final QpAttributes attributes;
  private final int mtu;
  private final long deadline;
  private final Consumer<String> answer;
  private final AtomicBoolean claimed = new AtomicBoolean();

  /** Freed when nobody can name it any more: a device may have it that does not let go. */
  private final MemorySegment memory = Arena.ofAuto().allocate(2 * LENGTH, LENGTH);

  private final List<VerbsQp> qps = new ArrayList<>();
  private VerbsCq cq;
  private VerbsRegion region;
  private boolean inHand;
  private boolean over;

  private Loopback(
      TransportContext context,
      EndpointSettings settings,
      RdmaRail rail,
      long deadline,
      Consumer<String> answer) {
    this.context = context;
    this.rail = rail;
    this.deadline = deadline;
    this.answer = answer;
    attributes = settings.attributes(rail, rail.gid(), ACCESS);
    mtu = Math.min(rail.info().activeMtu(), settings.pathMtu());
  }

  /**
   * Tries it.
   *
   * @param answer called once, on the supervisor: what is wrong, or nothing
   * @return gives it up at the transport's end; does nothing after the answer
   */
  static Runnable run(
      TransportContext context,
      EndpointSettings settings,
      RdmaRail rail,
      long deadline,
      Consumer<String> answer) {
    var one = new Loopback(context, settings, rail, deadline, answer);
    one.begin();
    return one::abandon;
  }

  /** What a call that blocks has in hand stays. */
  private void abandon() {
    if (!over && !inHand) {
      close();
    }
    over = true;
  }

  private void begin() {
    try {
      make(rail.device().verbs());
    } catch (VerbsException e) {
      end(e.getMessage());
      return;
    }
    inHand = true;
    context
        .attempts()
        .run(
            "connecting " + rail + " with itself",
            this::connect,
            deadline,
            this::connected,
            this::late);
  }

  private void make(VerbsDevice device) {
    for (long at = 0; at < LENGTH; at += Long.BYTES) {
      memory.set(ValueLayout.JAVA_LONG, at, context.random());
    }
    cq = device.createCq(2);
    region = device.register(memory, ACCESS);
    for (int i = 0; i < 2; i++) {
      var qp = device.createQp(cq, new QpCapacity(1, 1));
      qps.add(qp);
      check("INIT", qp.init(attributes));
    }
  }

  private void check(String state, int error) {
    if (error != 0) {
      throw new VerbsException("taking a QP of " + rail + " to " + state, error);
    }
  }

  private String connect() {
    if (!claimed.compareAndSet(false, true)) {
      return "given up before it began";
    }
    try {
      for (int i = 0; i < 2; i++) {
        var other = qps.get(1 - i).number();
        var peer = new QpPeer(other, rail.gid().gid(), rail.info().lid(), mtu);
        check("RTR", qps.get(i).readyToReceive(attributes, peer));
        check("RTS", qps.get(i).readyToSend(attributes));
      }
      return "";
    } catch (RuntimeException e) {
      return e.getMessage();
    }
  }

  private void connected(String problem, Fault fault) {
    inHand = fault != null && !claimed.compareAndSet(false, true);
    if (fault != null) {
      end(fault.text());
    } else if (!problem.isEmpty()) {
      end(problem);
    } else {
      post();
    }
  }

  /** The call that had the QPs in hand has come back. */
  private void late(String problem) {
    inHand = false;
    close();
  }

  private void post() {
    int error =
        qps.getFirst()
            .post(
                0,
                VerbsQp.WRITE,
                memory.address(),
                region.lkey(),
                LENGTH,
                memory.address() + LENGTH,
                region.rkey());
    if (error == 0) {
      poll();
    } else {
      end("posting a write to itself failed: " + VerbsException.text(error));
    }
  }

  private void poll() {
    if (over) {
      return;
    }
    int found = cq.poll();
    if (found < 0) {
      end("a completion queue cannot be polled: " + found);
    } else if (found > 0) {
      end(judge(cq.status(0), cq.vendorError(0)));
    } else if (deadline - context.now() <= 0) {
      end("a write to itself did not end in time");
    } else {
      context.supervisor().at(Math.min(deadline, context.now() + POLL_INTERVAL), this::poll);
    }
  }

  private String judge(int status, int vendorError) {
    if (status != 0) {
      return WcStatus.fault(
              status, vendorError, true, "a write to itself", true, rail.vendorTable())
          .text();
    }
    var sent = memory.asSlice(0, LENGTH);
    return sent.mismatch(memory.asSlice(LENGTH, LENGTH)) < 0
        ? ""
        : "a write to itself brought other bytes than were sent";
  }

  private void end(String problem) {
    over = true;
    if (!inHand) {
      close();
    }
    answer.accept(problem);
  }

  private void close() {
    int error = 0;
    for (var qp : qps) {
      int last = qp.close();
      error = last != 0 ? last : error;
    }
    if (region != null) {
      int last = region.close();
      error = last != 0 ? last : error;
    }
    if (cq != null) {
      int last = cq.close();
      error = last != 0 ? last : error;
    }
    if (error != 0) {
      LOG.warn("rail {}: its check is not let go of: {}", rail, VerbsException.text(error));
    }
  }
}
