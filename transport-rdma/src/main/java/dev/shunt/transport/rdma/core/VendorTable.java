package dev.shunt.transport.rdma.core;

import dev.shunt.api.spi.Fault.Blame;
import java.util.List;

/**
 * What the numbers of a device's vendor say more precisely than a completion's status: which side a
 * failure speaks against. Vendors do not publish what their numbers mean, so there are no rows but
 * those that the configuration has.
 */
public final class VendorTable {
  /** Without rows. */
  public static final VendorTable NONE = new VendorTable(List.of(), 0);

  private final List<Row> rows;

  /**
   * A row.
   *
   * @param vendor as verbs tell of the device: the vendor's IEEE number, such as 0x02c9
   * @param status of the completion
   * @param error the vendor's number in it
   * @param blame which side that speaks against
   */
  public record Row(int vendor, WcStatus status, int error, Blame blame) {}

  /** The rows for one vendor's devices. */
  public VendorTable(List<Row> all, int vendor) {
    rows = all.stream().filter(row -> row.vendor == vendor).toList();
  }

  /** Which side a completion speaks against. */
  Blame blame(WcStatus status, int error) {
    for (var row : rows) {
      if (row.status == status && row.error == error) {
        return row.blame;
      }
    }
    return status.blame();
  }
}
