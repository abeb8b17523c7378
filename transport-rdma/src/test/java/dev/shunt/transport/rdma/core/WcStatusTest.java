package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WcStatusTest {
  private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");

  @ParameterizedTest
  @CsvSource({
    "1, LOCAL",
    "2, LOCAL",
    "3, LOCAL",
    "4, LOCAL",
    "5, NEUTRAL",
    "6, LOCAL",
    "7, REMOTE",
    "8, LOCAL",
    "9, REMOTE",
    "10, REQUEST",
    "11, REMOTE",
    "12, REMOTE",
    "13, REMOTE",
    "14, LOCAL",
    "15, REMOTE",
    "16, REMOTE",
    "17, REMOTE",
    "18, REMOTE",
    "19, REMOTE",
    "20, REMOTE",
    "21, REMOTE",
    "22, REMOTE",
    "23, REMOTE",
    "999, REMOTE",
    "-1, REMOTE"
  })
  void aStatusSpeaksAgainstOneSide(int status, Blame blame) {
    assertEquals(blame, WcStatus.fault(status, 0, true, "x", true, VendorTable.NONE).blame());
  }

  @ParameterizedTest
  @CsvSource({"5", "12", "2", "10"})
  void onAnInactiveRailEveryFailureIsLocal(int status) {
    var fault = WcStatus.fault(status, 0, true, "x", false, VendorTable.NONE);
    assertEquals(Blame.LOCAL, fault.blame());
    assertEquals(FailureCode.DEVICE, fault.code());
  }

  @Test
  void aFailedWriteMayHaveBeenAppliedUnlessThePeerRefusedIt() {
    assertEquals(
        Effect.POSSIBLE, WcStatus.fault(12, 0, true, "x", true, VendorTable.NONE).effect());
    assertEquals(Effect.POSSIBLE, WcStatus.fault(5, 0, true, "x", true, VendorTable.NONE).effect());
    assertEquals(Effect.NONE, WcStatus.fault(12, 0, false, "x", true, VendorTable.NONE).effect());
    assertEquals(Effect.NONE, WcStatus.fault(10, 0, true, "x", true, VendorTable.NONE).effect());
  }

  @Test
  void theTextHasPathStatusAndTheDevicesOwnNumber() {
    var fault = WcStatus.fault(12, 0x81, true, "a -> b", true, VendorTable.NONE);
    assertTrue(fault.text().startsWith("a -> b: "), fault.text());
    assertTrue(fault.text().contains("status 12, vendor error 0x81"), fault.text());
    assertEquals(0x81, fault.vendorCode());
  }

  @Test
  void thereIsOneForEveryStatusOfTheHeader() throws IOException {
    Assumptions.assumeTrue(Files.exists(HEADER), "needs libibverbs-dev for the header");
    var text = Files.readString(HEADER);
    int start = text.indexOf("enum ibv_wc_status {");
    var names =
        Pattern.compile("IBV_WC_(\\w+)")
            .matcher(text.substring(start, text.indexOf('}', start)))
            .results()
            .map(match -> match.group(1))
            .toList();
    List<String> ours = Arrays.stream(WcStatus.values()).map(Enum::name).toList();
    assertEquals(names, ours.subList(0, Math.min(names.size(), ours.size())));
  }

  @Test
  void aVendorsNumberMayTellTheSideMorePrecisely() {
    var rows =
        List.of(
            new VendorTable.Row(0x02c9, WcStatus.GENERAL_ERR, 0x77, Blame.LOCAL),
            new VendorTable.Row(0x14e4, WcStatus.GENERAL_ERR, 0x78, Blame.LOCAL));
    var table = new VendorTable(rows, 0x02c9);
    var fault = WcStatus.fault(21, 0x77, true, "x", true, table);
    assertEquals(Blame.LOCAL, fault.blame());
    assertEquals(FailureCode.DEVICE, fault.code());
    assertEquals(Blame.REMOTE, WcStatus.fault(21, 0x78, true, "x", true, table).blame());
    assertEquals(Blame.REMOTE, WcStatus.fault(12, 0x77, true, "x", true, table).blame());
    assertEquals(Blame.LOCAL, WcStatus.fault(12, 0x77, true, "x", false, table).blame());
  }
}
