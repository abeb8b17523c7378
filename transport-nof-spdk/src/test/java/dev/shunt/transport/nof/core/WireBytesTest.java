package dev.shunt.transport.nof.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Bytes as the specification has them, written down by hand. */
class WireBytesTest {
  private static final long SECOND = QueueProbe.SECOND;

  private static String hex(byte[] bytes, int from, int to) {
    return HexFormat.of().formatHex(Arrays.copyOfRange(bytes, from, to));
  }

  private static String zeros(int bytes) {
    return "00".repeat(bytes);
  }

  @Test
  void theFirstPduAsksForAConnection() {
    var plain = new QueueProbe(QueueProbe.setup(0, 32, 0, false));
    plain.queue.begin(0);
    plain.queue.open(0);
    assertEquals("0000800080000000" + zeros(120), hex(plain.out(), 0, 128));
    var digests = new QueueProbe(QueueProbe.setup(0, 32, 0, true));
    digests.queue.begin(0);
    digests.queue.open(0);
    assertEquals(
        "0000800080000000" + "0000" + "00" + "03" + zeros(116), hex(digests.out(), 0, 128));
  }

  @Test
  void anAdminConnectCarriesHostSubsystemAndKeepAlive() {
    var probe = new QueueProbe(QueueProbe.setup(0, 32, 0, false));
    probe.queue.begin(0);
    probe.queue.open(0);
    probe.out();
    probe.feed(QueueProbe.icResp(0, 0, 131072));
    var bytes = probe.out();
    assertEquals(72 + 1024, bytes.length);
    // Common header: type 4, header of 72 bytes, data at 72, 1096 bytes.
    assertEquals("0400484848040000", hex(bytes, 0, 8));
    // Fabrics, SGL, command id of the first use of slot 0, Connect.
    assertEquals("7f400010" + "01000000", hex(bytes, 8, 16));
    // 1024 bytes in the capsule.
    assertEquals(zeros(8) + "00040000" + "000000" + "01", hex(bytes, 32, 48));
    // Format 0, queue 0, 32 entries zero-based, 10000 ms.
    assertEquals("0000" + "0000" + "1f00" + "0000" + "10270000", hex(bytes, 48, 60));
    assertEquals("0102030405060708" + "090a0b0c0d0e0f10" + "ffff", hex(bytes, 72, 90));
    assertEquals("6e716e2e74" + "00", hex(bytes, 72 + 256, 72 + 262));
    assertEquals("6e716e2e68" + "00", hex(bytes, 72 + 512, 72 + 518));
  }

  @Test
  void anIoConnectNamesItsController() {
    var probe = new QueueProbe(QueueProbe.setup(3, 128, 0, false));
    probe.queue.begin(0);
    probe.queue.open(0);
    probe.out();
    probe.feed(QueueProbe.icResp(0, 0, 131072));
    var bytes = probe.out();
    assertEquals("0000" + "0300" + "7f00" + "0000" + "00000000", hex(bytes, 48, 60));
    assertEquals("0700", hex(bytes, 72 + 16, 72 + 18));
  }

  @Test
  void aReadAndAWriteThatIsAskedForAreJustTheirCommand() {
    var probe = QueueProbe.io(8, 4096);
    var memory = probe.arena.allocate(65536);
    var slot = probe.queue.take("r");
    Queue.transfer(slot, false, 1, 0x1_0000_0002L, 8);
    slot.data(false, memory, 0, 4096);
    probe.queue.submit(slot, 0);
    var read = probe.out();
    assertEquals("0400480048000000", hex(read, 0, 8));
    assertEquals("0240" + hex(read, 10, 12) + "01000000", hex(read, 8, 16));
    assertEquals(zeros(8) + "00100000" + "000000" + "5a", hex(read, 32, 48));
    assertEquals("0200000001000000" + "07000000", hex(read, 48, 60));
    probe.post("w", true, memory, 0, 65536);
    var write = probe.out();
    assertEquals("0400480048000000" + "0140", hex(write, 0, 10));
    assertEquals(zeros(8) + "00000100" + "000000" + "5a", hex(write, 32, 48));
    assertEquals("7f000000", hex(write, 56, 60));
  }

  @Test
  void aSmallWriteGoesInItsCapsule() {
    var probe = QueueProbe.io(8, 4096);
    var memory = probe.arena.allocate(4096).fill((byte) 0xab);
    probe.post("w", true, memory, 0, 512);
    var bytes = probe.out();
    assertEquals("0400484848020000" + "0140", hex(bytes, 0, 10));
    assertEquals(zeros(8) + "00020000" + "000000" + "01", hex(bytes, 32, 48));
    assertEquals("ab".repeat(512), hex(bytes, 72, 72 + 512));
  }

  @Test
  void dataGoOutInPiecesThatTheTargetTakes() {
    var probe = QueueProbe.io(8, 0);
    var memory = probe.arena.allocate(20480);
    probe.post("w", true, memory, 0, 20480);
    int id = QueueProbe.id(probe.out());
    probe.feed(QueueProbe.r2t(id, 0x1234, 0, 20480));
    var bytes = probe.out();
    var idHex =
        HexFormat.of().toHexDigits((byte) id) + HexFormat.of().toHexDigits((byte) (id >> 8));
    assertEquals(3 * 24 + 20480, bytes.length);
    assertEquals("0600181818200000" + idHex + "3412" + "00000000" + "00200000", hex(bytes, 0, 20));
    assertEquals(
        "0600181818200000" + idHex + "3412" + "00200000" + "00200000", hex(bytes, 8216, 8236));
    assertEquals(
        "0604181818100000" + idHex + "3412" + "00400000" + "00100000", hex(bytes, 16432, 16452));
  }

  @Test
  void digestsAndPaddingStandWhereTheyShould() {
    var probe = new QueueProbe(QueueProbe.setup(1, 8, 4096, true));
    probe.begin(31, 3, 4096);
    var memory = probe.arena.allocate(512);
    for (int i = 0; i < 32; i++) {
      Le.put8(memory, i, 0);
    }
    probe.post("w", true, memory, 0, 512);
    var bytes = probe.out();
    // Both digests; data at 128, since 31 means a multiple of 128.
    assertEquals("0403488084020000", hex(bytes, 0, 8));
    assertEquals(zeros(128 - 76), hex(bytes, 76, 128));
    var crc = new java.util.zip.CRC32C();
    crc.update(bytes, 0, 72);
    assertEquals(crc.getValue(), Integer.toUnsignedLong(little(bytes, 72)));
    crc.reset();
    crc.update(bytes, 128, 512);
    assertEquals(crc.getValue(), Integer.toUnsignedLong(little(bytes, 640)));
  }

  @Test
  void aDigestIsTheOneThatEverybodyMeans() {
    // The check value of CRC-32C: of the nine digits.
    var memory = java.lang.foreign.MemorySegment.ofArray("123456789".getBytes());
    var digest = new Digest();
    digest.reset();
    digest.update(memory, 0, 4);
    digest.update(memory, 4, 5);
    assertEquals(0xe3069283L, digest.value());
  }

  private static int little(byte[] bytes, int at) {
    return java.nio.ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN).getInt(at);
  }

  @Test
  void aWrongHeaderIsSentBackWithTheReason() {
    var probe = QueueProbe.io(8, 0);
    var bad = QueueProbe.pdu(0x42, 0, 24, 24);
    probe.feed(bad);
    assertEquals("0200180020000000" + "0100" + "00000000" + zeros(10), hex(probe.lastWords, 0, 24));
    assertEquals("4200180018000000", hex(probe.lastWords, 24, 32));
    assertTrue(probe.queue.isOver());
    assertTrue(probe.now < SECOND);
  }
}
