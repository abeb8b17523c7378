package dev.shunt.cli.doctor;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** By which interface packets leave: as the tool {@code ip} says, or by the kernel's main table. */
final class RouteTable {
  private static final Pattern DEVICE = Pattern.compile("\\bdev (\\S+)");
  private static final long PATIENCE_SECONDS = 5;

  private final Kernel kernel;
  private final boolean asksIp;

  RouteTable(Kernel kernel, boolean asksIp) {
    this.kernel = kernel;
    this.asksIp = asksIp;
  }

  /** The name of the interface; empty where nobody tells. */
  Optional<String> leaving(InetAddress from, InetAddress to) {
    var told = asksIp ? ip(from, to) : Optional.<String>empty();
    return told.or(() -> to instanceof Inet4Address v4 ? main(v4) : Optional.empty());
  }

  private static Optional<String> ip(InetAddress from, InetAddress to) {
    try {
      var process =
          new ProcessBuilder(
                  "ip", "route", "get", to.getHostAddress(), "from", from.getHostAddress())
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return Optional.empty();
      }
      return process.exitValue() == 0
          ? device(new String(process.getInputStream().readAllBytes()))
          : Optional.empty();
    } catch (IOException _) {
      // There is no such tool; the main table is the next best.
      return Optional.empty();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  static Optional<String> device(String text) {
    var matcher = DEVICE.matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** The longest prefix of {@code /proc/net/route}; rules by source are not seen there. */
  private Optional<String> main(Inet4Address to) {
    if (to.isLoopbackAddress()) {
      return Optional.of("lo");
    }
    int address = ByteBuffer.wrap(to.getAddress()).order(ByteOrder.nativeOrder()).getInt();
    var best = Optional.<String>empty();
    int longest = -1;
    for (var line : kernel.text("proc/net/route").orElse("").lines().skip(1).toList()) {
      var words = line.split("\\s+");
      if (words.length < 8) {
        continue;
      }
      int destination = Integer.parseUnsignedInt(words[1], 16);
      int mask = Integer.parseUnsignedInt(words[7], 16);
      int bits = Integer.bitCount(mask);
      if ((address & mask) == destination && bits > longest) {
        longest = bits;
        best = Optional.of(words[0]);
      }
    }
    return best;
  }
}
