package dev.shunt.transport.rdma;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.transport.rdma.core.VendorTable;
import dev.shunt.transport.rdma.core.WcStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The key {@code device.vendor-errors}: what vendors' numbers mean. */
final class VendorErrors {
  private static final String KEY = "device.vendor-errors";
  private static final int MOST = 1024;
  private static final int PARTS = 4;

  private VendorErrors() {}

  /**
   * Reads them.
   *
   * @throws ConfigException.BadValue if one is wrong; it says how
   */
  static List<VendorTable.Row> of(Config transport) {
    var rows = new ArrayList<VendorTable.Row>();
    var texts = transport.getStringList(KEY);
    if (texts.size() > MOST) {
      throw wrong(transport, texts.size() + " rows; there are " + MOST + " at most");
    }
    for (var text : texts) {
      rows.add(row(transport, text));
    }
    return List.copyOf(rows);
  }

  private static VendorTable.Row row(Config transport, String text) {
    var parts = text.trim().split("\\s+");
    if (parts.length != PARTS) {
      throw wrong(
          transport,
          "'" + text + "'; a row is such as '0x02c9 GENERAL_ERR 0x81 local': four words");
    }
    return new VendorTable.Row(
        number(transport, text, parts[0]),
        status(transport, text, parts[1]),
        number(transport, text, parts[2]),
        blame(transport, text, parts[3]));
  }

  private static int number(Config transport, String text, String word) {
    try {
      long value = Long.decode(word);
      if (value >= 0 && value <= 0xffff_ffffL) {
        return (int) value;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw wrong(transport, "'" + text + "': " + word + " is no number of 32 bits, such as 0x81");
  }

  private static WcStatus status(Config transport, String text, String word) {
    for (var status : WcStatus.values()) {
      if (status != WcStatus.SUCCESS && status.name().equals(word)) {
        return status;
      }
    }
    throw wrong(
        transport,
        "'"
            + text
            + "': "
            + word
            + " is no status of a failure; there are "
            + Arrays.asList(WcStatus.values()).subList(1, WcStatus.values().length));
  }

  private static Blame blame(Config transport, String text, String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "local" -> Blame.LOCAL;
      case "remote" -> Blame.REMOTE;
      case "neutral" -> Blame.NEUTRAL;
      default -> throw wrong(transport, "'" + text + "': the side is local, remote or neutral");
    };
  }

  private static ConfigException.BadValue wrong(Config transport, String why) {
    return new ConfigException.BadValue(transport.getValue(KEY).origin(), KEY, why);
  }
}
