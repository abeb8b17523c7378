package dev.shunt.transport.rdma.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which addresses of this process hold code. A pointer that was read where a structure is laid out
 * otherwise leads anywhere: to call it would end the process.
 */
final class CodePages {
  private static final Pattern LINE = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) ..x. .*");

  private final List<long[]> ranges = new ArrayList<>();

  private CodePages() {}

  /** As they are now; all addresses count where the system does not tell. */
  static CodePages now() {
    var pages = new CodePages();
    try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
      lines.forEach(pages::line);
    } catch (IOException e) {
      pages.ranges.clear();
      pages.ranges.add(new long[] {1, -1L});
    }
    return pages;
  }

  private void line(String line) {
    var matcher = LINE.matcher(line);
    if (matcher.matches()) {
      ranges.add(
          new long[] {
            Long.parseUnsignedLong(matcher.group(1), 16),
            Long.parseUnsignedLong(matcher.group(2), 16)
          });
    }
  }

  /** Whether there is code at an address. */
  boolean hold(long address) {
    for (var range : ranges) {
      if (Long.compareUnsigned(range[0], address) <= 0
          && Long.compareUnsigned(address, range[1]) < 0) {
        return true;
      }
    }
    return false;
  }
}
