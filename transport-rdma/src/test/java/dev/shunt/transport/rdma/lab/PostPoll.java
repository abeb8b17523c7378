package dev.shunt.transport.rdma.lab;

import dev.shunt.transport.rdma.verbs.Gid;
import dev.shunt.transport.rdma.verbs.QpAttributes;
import dev.shunt.transport.rdma.verbs.QpCapacity;
import dev.shunt.transport.rdma.verbs.QpPeer;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsCq;
import dev.shunt.transport.rdma.verbs.VerbsDevice;
import dev.shunt.transport.rdma.verbs.VerbsQp;
import dev.shunt.transport.rdma.verbs.VerbsRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Posts a write of 64 bytes and polls until it has completed, again and again, between two devices
 * of this machine: what {@code distribution/lab/beside.c} does, for comparison. Arguments: the two
 * devices, the index of the GID, and for how many seconds. Prints nanoseconds of a round: of the
 * best and of the median thousand of them. The best is past all warming up.
 */
public final class PostPoll {
  private static final int SIZE = 64;
  private static final int WINDOW = 1000;
  private static final int MOST_WINDOWS = 100_000;
  private static final int PAGE = 4096;
  private static final int MTU_4096 = 5;
  private static final int ACCESS = Verbs.ACCESS_LOCAL_WRITE | Verbs.ACCESS_REMOTE_WRITE;

  private PostPoll() {}

  private record Side(
      VerbsDevice device,
      VerbsCq cq,
      VerbsQp qp,
      MemorySegment memory,
      VerbsRegion region,
      Gid gid) {
    static Side open(Verbs verbs, String name, int gidIndex) {
      var device = verbs.open(name, () -> {});
      var cq = device.createCq(16);
      var memory = Arena.global().allocate(PAGE, PAGE);
      var region = device.register(memory, ACCESS);
      var qp = device.createQp(cq, new QpCapacity(16, 1));
      return new Side(device, cq, qp, memory, region, device.gid(1, gidIndex).gid());
    }

    void join(Side peer, int gidIndex) {
      var attributes =
          new QpAttributes(
              1, gidIndex, Verbs.ACCESS_REMOTE_WRITE, 0, 16, 0, 0, 0, 0, 0, 1, 1, 12, 14, 6, 7);
      must(qp.init(attributes), "INIT");
      var to = new QpPeer(peer.qp.number(), peer.gid, 0, MTU_4096);
      must(qp.readyToReceive(attributes, to), "RTR");
      must(qp.readyToSend(attributes), "RTS");
    }
  }

  private static void must(int error, String what) {
    if (error != 0) {
      throw new IllegalStateException(what + ": " + error);
    }
  }

  private static void rounds(Side from, Side to, long first) {
    long local = from.memory.address();
    long remote = to.memory.address();
    int lkey = from.region.lkey();
    int rkey = to.region.rkey();
    for (long i = first; i < first + WINDOW; i++) {
      must(from.qp.post(i, VerbsQp.WRITE, local, lkey, SIZE, remote, rkey), "post");
      int taken;
      do {
        taken = from.cq.poll();
      } while (taken == 0);
      if (taken != 1 || from.cq.status(0) != 0 || from.cq.wrId(0) != i) {
        throw new IllegalStateException("completion of " + i + ": " + from.cq.status(0));
      }
    }
  }

  /** Runs it. */
  public static void main(String[] arguments) {
    int gidIndex = Integer.parseInt(arguments[2]);
    var verbs = Verbs.system();
    var one = Side.open(verbs, arguments[0], gidIndex);
    var two = Side.open(verbs, arguments[1], gidIndex);
    one.join(two, gidIndex);
    two.join(one, gidIndex);
    long duration = Long.parseLong(arguments[3]) * 1_000_000_000;
    var took = new long[MOST_WINDOWS];
    int windows = 0;
    long start = System.nanoTime();
    while (windows < took.length && System.nanoTime() - start < duration) {
      long begin = System.nanoTime();
      rounds(one, two, (long) windows * WINDOW);
      took[windows++] = (System.nanoTime() - begin) / WINDOW;
    }
    Arrays.sort(took, 0, windows);
    System.out.println(took[0] + " " + took[windows / 2]);
  }
}
