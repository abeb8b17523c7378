package dev.shunt.cli.doctor;

import java.util.List;
import java.util.Optional;

/** What the system lets this process have. */
final class Limits {
  private static final long ENOUGH_LOCKED = 64L << 20;
  private static final long ENOUGH_BUFFER = 4L << 20;
  private static final int BESIDES = 256;

  private final Kernel kernel;

  Limits(Kernel kernel) {
    this.kernel = kernel;
  }

  /**
   * Looks.
   *
   * @param connections that the configuration lets the node have at a time
   * @param locks whether a transport that locks memory is in use
   */
  List<Finding> findings(long connections, boolean locks) {
    return List.of(files(connections), lockedMemory(locks), congestion(), buffers());
  }

  private Finding files(long connections) {
    var limit = kernel.limit("Max open files");
    if (limit.isEmpty()) {
      return Finding.ok("open files", "the limit is not known");
    }
    var need = connections + BESIDES;
    var text = number(limit.get()) + " allowed, " + need + " needed at most";
    return limit.get() >= need
        ? Finding.ok("open files", text)
        : Finding.warn(
            "open files",
            text,
            "ulimit -n "
                + need
                + " (LimitNOFILE= of a systemd unit), or a lower rpc.max-connections and"
                + " transports.tcp.max-inbound-streams");
  }

  private Finding lockedMemory(boolean locks) {
    var limit = kernel.limit("Max locked memory");
    if (limit.isEmpty()) {
      return Finding.ok("locked memory", "the limit is not known");
    }
    var text =
        limit.get() == Long.MAX_VALUE
            ? "unlimited"
            : Amounts.bytes(limit.get())
                + " allowed"
                + (locks ? "; RDMA locks all memory that is registered" : "; TCP locks none");
    return limit.get() >= ENOUGH_LOCKED || !locks
        ? Finding.ok("locked memory", text)
        : Finding.fail(
            "locked memory",
            text,
            "ulimit -l unlimited (LimitMEMLOCK=infinity of a systemd unit, memlock in"
                + " /etc/security/limits.conf)");
  }

  private Finding congestion() {
    var control = kernel.setting("net.ipv4.tcp_congestion_control");
    var there = kernel.setting("net.ipv4.tcp_available_congestion_control").orElse("");
    if (control.isEmpty()) {
      return Finding.ok("congestion", "the control of TCP is not known");
    }
    var text = control.get() + (there.isEmpty() ? "" : ", there are " + there);
    return control.get().equals("bbr")
        ? Finding.warn(
            "congestion",
            text,
            "bbr paces what it sends, which costs much of the rate within a rack and over loopback;"
                + " sysctl -w net.ipv4.tcp_congestion_control=cubic, and measure with shunt bench")
        : Finding.ok("congestion", text);
  }

  private Finding buffers() {
    var receive = last("net.ipv4.tcp_rmem");
    var send = last("net.ipv4.tcp_wmem");
    if (receive.isEmpty() || send.isEmpty()) {
      return Finding.ok("socket buffers", "their limits are not known");
    }
    var text =
        "up to "
            + Amounts.bytes(receive.get())
            + " received and "
            + Amounts.bytes(send.get())
            + " sent of a connection"
            + last("net.core.rmem_max")
                .map(b -> ", " + Amounts.bytes(b) + " if asked for")
                .orElse("");
    return receive.get() >= ENOUGH_BUFFER && send.get() >= ENOUGH_BUFFER
        ? Finding.ok("socket buffers", text)
        : Finding.warn(
            "socket buffers",
            text,
            "over a fast network with a millisecond of delay that bounds the rate; sysctl -w"
                + " net.ipv4.tcp_rmem='4096 131072 6291456' net.ipv4.tcp_wmem='4096 65536 4194304'");
  }

  private Optional<Long> last(String setting) {
    var numbers = kernel.numbers(setting);
    return numbers.isEmpty() ? Optional.empty() : Optional.of(numbers.getLast());
  }

  private static String number(long limit) {
    return limit == Long.MAX_VALUE ? "any number" : Long.toString(limit);
  }
}
