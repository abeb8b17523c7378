package dev.shunt.transport.rdma.lab;

import dev.shunt.api.Access;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.transport.rdma.testing.TestMemory;
import dev.shunt.transport.rdma.testing.TestNode;
import dev.shunt.transport.rdma.testing.TestSlice;
import dev.shunt.transport.rdma.verbs.Verbs;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.opentest4j.TestAbortedException;

/**
 * Moves bytes between two RDMA devices of this machine with the production transport, and compares
 * them; then plays parts of the contract. Arguments: the names of the two devices. Ends with 0, or
 * with 1 and what went wrong.
 */
public final class LabMain {
  private static final int MEMORY = 4 << 20;

  /** What takes a moment under emulation, and shows most. */
  private static final List<String> CONTRACT =
      List.of(
          "bytesOfEachSizeArriveAndNothingElseChanges",
          "readReturnsWhatIsThereAndNothingElseChanges",
          "manySlicesAreEachReportedOnce",
          "theLanesCarryAtTheSameTime",
          "whatThereIsRoomForIsTakenAndTheRoomComesBack",
          "aRangeOutsideIsRefusedAndTheChannelStaysInStep",
          "aWriteWhereOnlyReadingIsAllowedIsRefused",
          "theKeyOfAnOlderRegistrationIsRefused",
          "aStaleGenerationIsRefused",
          "retiringInMidTransferEndsEverySliceOnceWhateverTheReason",
          "closingWhileTransfersRunReportsThemAll",
          "closingTheRemoteWhileTransfersRunEndsThemAll",
          "aFencedLinkThatWasUnknownIsRefusedWhenItAppears",
          "aFenceLeavesOtherLinksAlone",
          "postAllocatesNothing",
          "aParkedDriverComesBackAtItsTimeAndWhenWoken",
          "framesOfEachSizeArriveOnceAndInOrder",
          "aFloodIsReportedFrameByFrameAndArrives",
          "whatIsNotTakenIsKeptAndTheSendersWaitIsBounded",
          "retiringReportsEachFrameOnceAndWhatWasDeliveredArrives",
          "closingTheRemoteHandsUpWhatWasDelivered",
          "closingReportsWhatIsPending");

  private final LabPair pair;
  private final TestNode a;
  private final TestNode b;

  private LabMain(String deviceA, String deviceB) {
    pair = new LabPair(settings(deviceA), settings(deviceB));
    a = pair.a;
    b = pair.b;
  }

  /** Soft-RoCE takes a retry count of 7 for ever. */
  static Map<String, Object> settings(String device) {
    return Map.of("devices", List.of(device), "endpoint.send-retry-count", 6);
  }

  /** Runs it. */
  public static void main(String[] arguments) {
    say("devices: %s", Verbs.system().devices());
    boolean good = true;
    try {
      new LabMain(arguments[0], arguments[1]).move();
      good = contract(new LabContract(arguments[0], arguments[1]));
    } catch (RuntimeException | AssertionError e) {
      e.printStackTrace();
      good = false;
    }
    say(good ? "all good" : "FAILED");
    System.exit(good ? 0 : 1);
  }

  private static void say(String format, Object... values) {
    System.out.printf(format + "%n", values);
    System.out.flush();
  }

  private void move() {
    for (var node : List.of(a, b)) {
      for (var rail : node.rails()) {
        say("rail %s: %s", rail.name(), rail.attributes());
      }
    }
    try (var arena = Arena.ofShared()) {
      var from = a.register(arena.allocate(MEMORY, 4096), Access.LOCAL);
      var to = b.register(arena.allocate(MEMORY, 4096), Access.REMOTE_READ_WRITE);
      var link = connect();
      for (boolean write : new boolean[] {true, false}) {
        for (int size : new int[] {64, 4 << 10, 64 << 10, 1 << 20}) {
          time(link, write, from, to, size, size > 64 << 10 ? 10 : 50);
        }
        all(link, write, from, to);
      }
      outage(link, from, to);
      all(connect(), true, from, to);
      pair.close();
    }
  }

  private LinkId connect() {
    long begin = System.nanoTime();
    var link = pair.connect();
    say("connected in %.1f ms", (System.nanoTime() - begin) / 1e6);
    return link;
  }

  /** What is under way when the path dies ends once, and the first to fail says why. */
  private void outage(LinkId link, TestMemory from, TestMemory to) {
    Cable.pull();
    a.reports.clear();
    long begin = System.nanoTime();
    for (int i = 0; i < 40; i++) {
      a.post(link, i % 3 != 0, from, to, i * 64L << 10, 64 << 10);
    }
    pair.until("the end of the channel", () -> a.downs.containsKey(link));
    double millis = (System.nanoTime() - begin) / 1e6;
    Cable.plug();
    var blames = new TreeMap<Fault.Blame, Integer>();
    for (var fault : a.reports.values()) {
      blames.merge(fault == null ? Fault.Blame.REQUEST : fault.blame(), 1, Integer::sum);
    }
    say("the path dead: %.0f ms until all was reported, %s", millis, blames);
    say("  %s", a.downs.get(link).text());
    int remote = blames.getOrDefault(Fault.Blame.REMOTE, 0);
    int neutral = blames.getOrDefault(Fault.Blame.NEUTRAL, 0);
    if (remote < 1 || remote + neutral != 40) {
      throw new AssertionError("40 slices, the remote or nobody to blame");
    }
    pair.fence(link);
    a.reports.clear();
  }

  /** One at a time. */
  private void time(
      LinkId link, boolean write, TestMemory from, TestMemory to, int size, int rounds) {
    var took = new long[rounds];
    for (int i = 0; i < rounds; i++) {
      fill(write ? from : to, size, 31 * i + size);
      long begin = System.nanoTime();
      var slice = a.post(link, write, from, to, 0, size);
      pair.until("a slice", () -> a.reports.containsKey(slice));
      took[i] = System.nanoTime() - begin;
      good(slice);
      same(from, to, size);
    }
    Arrays.sort(took);
    say(
        "%s of %7d bytes, one at a time: best %.3f ms, median %.3f ms, worst %.3f ms",
        write ? "WRITE" : "READ ",
        size,
        took[0] / 1e6,
        took[rounds / 2] / 1e6,
        took[rounds - 1] / 1e6);
  }

  /** The whole buffer in slices of 64 KiB, with as many under way as there is room for. */
  private void all(LinkId link, boolean write, TestMemory from, TestMemory to) {
    fill(write ? from : to, MEMORY, 77);
    fill(write ? to : from, MEMORY, 78);
    long begin = System.nanoTime();
    int slice = 64 << 10;
    int before = a.reports.size();
    for (int at = 0; at < MEMORY; at += slice) {
      pair.until("room", () -> a.channels.get(link).room() > 0);
      a.post(link, write, from, to, at, slice);
    }
    pair.until("all slices", () -> a.reports.size() == before + MEMORY / slice);
    double seconds = (System.nanoTime() - begin) / 1e9;
    a.reports.forEach((one, fault) -> good((TestSlice) one));
    same(from, to, MEMORY);
    say(
        "%s of %7d bytes in slices of 64 KiB: %.1f MB/s, bytes equal",
        write ? "WRITE" : "READ ", MEMORY, MEMORY / seconds / 1e6);
  }

  private void good(TestSlice slice) {
    var fault = a.reports.get(slice);
    if (fault != null) {
      throw new AssertionError("failed: " + fault);
    }
  }

  private static void fill(TestMemory memory, int length, int seed) {
    for (long i = 0; i < length; i += 8) {
      memory.memory().set(ValueLayout.JAVA_LONG, i, i * 0x9e3779b97f4a7c15L + seed);
    }
  }

  private static void same(TestMemory one, TestMemory other, long length) {
    long at = one.memory().asSlice(0, length).mismatch(other.memory().asSlice(0, length));
    if (at >= 0) {
      throw new AssertionError("byte " + at + " differs");
    }
  }

  private static boolean contract(LabContract suite) {
    int failed = 0;
    int skipped = 0;
    for (var name : CONTRACT) {
      long begin = System.nanoTime();
      var result = play(suite, name);
      say("%-70s %s, %.1f s", name, result, (System.nanoTime() - begin) / 1e9);
      failed += result.startsWith("FAILED") ? 1 : 0;
      skipped += result.startsWith("skipped") ? 1 : 0;
    }
    say("%d passed, %d failed, %d skipped", CONTRACT.size() - failed - skipped, failed, skipped);
    return failed == 0;
  }

  private static String play(LabContract suite, String name) {
    try {
      var method = suite.getClass().getMethod(name);
      method.setAccessible(true);
      method.invoke(suite);
      return "passed";
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof TestAbortedException) {
        return "skipped: " + e.getCause().getMessage();
      }
      e.getCause().printStackTrace();
      return "FAILED: " + e.getCause().getMessage();
    } catch (ReflectiveOperationException e) {
      return "FAILED: " + e;
    }
  }
}
