package dev.shunt.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.cli.doctor.Finding.Level;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
  @TempDir Path root;

  @Test
  void aLimitOfLockedMemoryFailsOnlyWhereMemoryIsLockedAndNamesNeedAndRemedy() throws IOException {
    limits("Max locked memory         65536                65536                bytes");
    var locked = find(new Limits(kernel()).findings(10, true), "locked memory");
    assertEquals(Level.FAIL, locked.level());
    assertTrue(locked.text().contains("64 KiB"), locked.text());
    assertTrue(locked.remedy().contains("ulimit -l"), locked.remedy());
    var free = find(new Limits(kernel()).findings(10, false), "locked memory");
    assertEquals(Level.OK, free.level());
  }

  @Test
  void linkEventsAreTheKernelsOnlyWhereThisProcessHasAskedForThem()
      throws IOException, InterruptedException {
    var head = "sk Eth Pid Groups Rmem Wmem Dump Locks Drops Inode\n";
    var line = "0000000000000000 0 4711 00000111 0 0 0 2 0 ";
    var net = Files.createDirectories(root.resolve("proc/self/net"));
    Files.writeString(net.resolve("netlink"), head + line + "815\n");
    var descriptors = Files.createDirectories(root.resolve("proc/self/fd"));
    var events = new LinkEvents(kernel());
    assertEquals(Level.WARN, events.finding("kernel", 1000, 0).level());
    Files.createSymbolicLink(descriptors.resolve("7"), Path.of("socket:[815]"));
    assertEquals(Level.OK, events.finding("kernel", 1000, 0).level());
    assertEquals(Level.WARN, events.finding("off", 1000, 0).level());
    var polled = events.finding("poll", 1500, 0);
    assertEquals(Level.WARN, polled.level());
    assertTrue(polled.text().contains("1500 ms"), polled.text());
  }

  @Test
  void tooFewOpenFilesAreAWarning() throws IOException {
    limits("Max open files            1024                 1048576              files");
    assertEquals(Level.OK, find(new Limits(kernel()).findings(700, false), "open files").level());
    var few = find(new Limits(kernel()).findings(2048, false), "open files");
    assertEquals(Level.WARN, few.level());
    assertTrue(few.remedy().contains("ulimit -n 2304"), few.remedy());
  }

  @Test
  void smallSocketBuffersAndAPacingControlAreWarnings() throws IOException {
    setting("net.ipv4.tcp_rmem", "4096\t131072\t262144");
    setting("net.ipv4.tcp_wmem", "4096\t16384\t8388608");
    setting("net.ipv4.tcp_congestion_control", "bbr");
    var findings = new Limits(kernel()).findings(1, false);
    assertEquals(Level.WARN, find(findings, "socket buffers").level());
    assertTrue(find(findings, "socket buffers").text().contains("256 KiB"));
    assertEquals(Level.WARN, find(findings, "congestion").level());
  }

  @Test
  void whatTheKernelDoesNotTellIsNoFault() {
    for (var finding : new Limits(kernel()).findings(1, true)) {
      assertEquals(Level.OK, finding.level(), finding::toString);
    }
    assertEquals(Level.OK, Signals.compare(Optional.empty(), Optional.of(1L)).level());
  }

  @Test
  void theKernelsOwnFilesAreReadWhole() {
    // A file of this kind gives its text to one read only.
    assertEquals(3, new Kernel(Path.of("/")).numbers("net.ipv4.tcp_rmem").size());
    assertTrue(new Kernel(Path.of("/")).limit("Max open files").orElseThrow() > 0);
  }

  @Test
  void aPortThatIsTakenAndAnAddressOfOthersFail() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      var finding = port("127.0.0.1", taken.getLocalPort());
      assertEquals(Level.FAIL, finding.level());
      assertTrue(finding.remedy().contains("another process"), finding.remedy());
    }
    assertEquals(Level.FAIL, port("192.0.2.7", 0).level());
    assertEquals(Level.OK, port("127.0.0.2", 0).level());
  }

  @Test
  void aPortThatOutgoingConnectionsMayTakeIsAWarning() throws IOException {
    int free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      free = socket.getLocalPort();
    }
    setting("net.ipv4.ip_local_port_range", "1\t65535");
    assertEquals(Level.WARN, port("127.0.0.1", free).level());
    setting("net.ipv4.ip_local_port_range", "1\t2");
    assertEquals(Level.OK, port("127.0.0.1", free).level());
  }

  @Test
  void theLongestPrefixTellsTheInterface() throws IOException {
    Files.createDirectories(root.resolve("proc/net"));
    Files.writeString(
        root.resolve("proc/net/route"),
        """
        Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT
        eth0 00000000 0100000A 0003 0 0 0 00000000 0 0 0
        eth1 0002000A 00000000 0001 0 0 0 00FFFFFF 0 0 0
        """);
    var table = new RouteTable(kernel(), false);
    var from = InetAddress.getByName("10.0.0.1");
    assertEquals("eth1", table.leaving(from, InetAddress.getByName("10.0.2.9")).orElseThrow());
    assertEquals("eth0", table.leaving(from, InetAddress.getByName("10.0.3.9")).orElseThrow());
    assertEquals("eth7", RouteTable.device("10.0.0.9 from 10.0.0.1 dev eth7 uid 0").orElseThrow());
  }

  @Test
  void aRailThatLeavesByAnothersInterfaceIsAWarning() {
    // Nothing routes to documentation addresses but the default, which a loopback rail can't take.
    var routes = new Routes(new RouteTable(kernel(), false));
    var far = routes.findings(List.of("127.0.0.1"), List.of("192.0.2.7")).getFirst();
    assertEquals(Level.FAIL, far.level(), far::toString);
    var near = routes.findings(List.of("127.0.0.2"), List.of("127.0.0.1")).getFirst();
    assertEquals(Level.OK, near.level(), near::toString);
  }

  @Test
  void aWallClockThatJumpsIsAWarningAndOneInThePastFails() throws InterruptedException {
    var nanos = new ArrayDeque<>(List.of(0L, 200_000_000L, 0L, 200_000_000L));
    var jump = new ArrayDeque<>(List.of(1_800_000_000_000L, 1_800_003_600_000L));
    var clocks = new Clocks(kernel(), jump::remove, nanos::remove);
    assertEquals(Level.WARN, find(clocks.findings(), "clock").level());
    var past = new Clocks(kernel(), () -> 0, nanos::remove);
    assertEquals(Level.FAIL, find(past.findings(), "clock").level());
  }

  @Test
  void handlersThatComeWithALibraryAreNamed() {
    var finding = Signals.compare(Optional.of(0b10L), Optional.of(0b1000_0000_0010L));
    assertEquals(Level.WARN, finding.level());
    assertTrue(finding.text().contains("USR2"), finding.text());
    assertEquals(Level.OK, Signals.compare(Optional.of(3L), Optional.of(3L)).level());
    assertEquals("HUP, SEGV, number 64", Signals.names(1L | 1L << 10 | 1L << 63));
  }

  private Finding port(String address, int port) {
    return new Ports(kernel())
        .findings(List.of(new Ports.Place("control", address, port)))
        .getFirst();
  }

  private static Finding find(List<Finding> findings, String check) {
    return findings.stream().filter(f -> f.check().equals(check)).findFirst().orElseThrow();
  }

  private Kernel kernel() {
    return new Kernel(root);
  }

  private void limits(String line) throws IOException {
    Files.createDirectories(root.resolve("proc/self"));
    Files.writeString(root.resolve("proc/self/limits"), "Limit  Soft  Hard  Units\n" + line + "\n");
  }

  private void setting(String name, String value) throws IOException {
    var file = root.resolve("proc/sys/" + name.replace('.', '/'));
    Files.createDirectories(file.getParent());
    Files.writeString(file, value + "\n");
  }
}
