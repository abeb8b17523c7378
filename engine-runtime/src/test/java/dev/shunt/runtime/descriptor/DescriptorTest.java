package dev.shunt.runtime.descriptor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.contract.Allocated;
import dev.shunt.api.sim.Dice;
import dev.shunt.runtime.control.core.Mutations;
import dev.shunt.runtime.json.JsonReader;
import dev.shunt.runtime.json.MalformedException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DescriptorTest {
  private static final DescriptorLimits LIMITS = DescriptorLimits.DEFAULT;

  private static final String TOPOLOGY =
      """
      {
          "mems": [
              {
                  "device_list": {
                      "rank0": [],
                      "rank1": [],
                      "rank2": []
                  },
                  "name": "*",
                  "numa_node": -1,
                  "pci_bus_id": "",
                  "type": 0
              },
              {
                  "device_list": {
                      "rank0": [],
                      "rank1": [],
                      "rank2": []
                  },
                  "name": "cpu:0",
                  "numa_node": 0,
                  "pci_bus_id": "",
                  "type": 0
              }
          ],
          "nics": []
      }""";

  private static final Descriptor TENTS =
      new Descriptor(
          "127.0.0.1:15100",
          "00000000-0000-4000-8000-000000000001:0123456789abcdef0123456789abcdef",
          "127.0.0.1:15100",
          List.of(
              new DescribedBuffer(
                  123145302310912L,
                  1 << 20,
                  Access.REMOTE_READ_WRITE,
                  "cpu:0",
                  List.of(7),
                  List.of(),
                  Map.of())),
          List.of(),
          TOPOLOGY,
          Optional.empty());

  /** The bytes of version 1 of our key, as the package's documentation specifies them. */
  private static final String OURS =
      "{\"detail\":{\"buffers\":[{\"addr\":4096,\"internal\":false,\"length\":8192,"
          + "\"location\":\"cpu:0\",\"mnnvl_handle\":\"\",\"regions\":[],\"rkey\":[],\"shm_path\":\"\","
          + "\"transport_attrs\":[],\"transports\":[7]}],\"device_attrs\":{},\"devices\":[],"
          + "\"transport_attrs\":[]},\"machine_id\":\"m\",\"name\":\"n\",\"rpc_server_addr\":\"h:1\","
          + "\"shunt\":{\"buffers\":[{\"access\":\"REMOTE_READ\",\"address\":4096,"
          + "\"keys\":{\"tcp\":[\"18446744073709551615\",\"2\"]},\"length\":8192}],"
          + "\"control\":[\"h:1\",\"i:2\"],\"generation\":\"9223372036854775809\","
          + "\"transports\":{\"tcp\":{\"rails\":[{\"attributes\":{\"port\":\"5\"},\"name\":\"r0\"},"
          + "{\"attributes\":{},\"name\":\"r1\"}]}},\"version\":1},\"type\":\"memory\"}";

  /** The same with what came later to version 1: a rail out of use, a revision, an echo page. */
  private static final String LATER =
      OURS.replace(
              "{\"attributes\":{},\"name\":\"r1\"}",
              "{\"attributes\":{},\"inactive\":true,\"name\":\"r1\"}")
          .replace(
              "\"generation\":\"9223372036854775809\",",
              "\"echo\":{\"address\":65536,\"keys\":{\"tcp\":[\"3\",\"4\"]},\"length\":64},"
                  + "\"generation\":\"9223372036854775809\",\"revision\":7,");

  private long spent;

  private static Descriptor read(String text) {
    return DescriptorReader.read("n", text, LIMITS);
  }

  private static String recorded() {
    try (var stream = DescriptorTest.class.getResourceAsStream("tent-descriptor.json")) {
      return new String(stream.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void whatWeWriteIsByteForByteWhatTentWrites() {
    assertEquals(recorded(), DescriptorWriter.write(TENTS, LIMITS));
  }

  @Test
  void whatTentWritesWeRead() {
    assertEquals(TENTS, read(recorded()));
    assertTrue(TENTS.plain());
    assertEquals(List.of("127.0.0.1:15100"), TENTS.control());
  }

  @Test
  void ourKeyHasItsRecordedBytes() {
    var ours =
        new Descriptor(
            "n",
            "m",
            "h:1",
            List.of(
                new DescribedBuffer(
                    4096,
                    8192,
                    Access.REMOTE_READ,
                    "cpu:0",
                    List.of(7),
                    List.of(),
                    Map.of("tcp", List.of(-1L, 2L)))),
            List.of(),
            "",
            Optional.of(
                new Extension(
                    1,
                    Long.MIN_VALUE + 1,
                    List.of("h:1", "i:2"),
                    Map.of(
                        "tcp",
                        new DescribedTransport(
                            List.of(
                                new DescribedRail("r0", Map.of("port", "5")),
                                new DescribedRail("r1", Map.of())))))));
    assertEquals(OURS, DescriptorWriter.write(ours, LIMITS));
    assertEquals(ours, read(OURS));
    assertFalse(ours.plain());
    assertEquals(Long.MIN_VALUE + 1, ours.generation());
  }

  @Test
  void whatCameLaterHasItsRecordedBytesToo() {
    var plain = read(OURS);
    var told = plain.extension().orElseThrow();
    var rails = told.transports().get("tcp").rails();
    var second = new DescribedRail("r1", Map.of(), true);
    var later =
        new Descriptor(
            plain.name(),
            plain.machineId(),
            plain.controlAddress(),
            plain.buffers(),
            plain.devices(),
            plain.topology(),
            Optional.of(
                new Extension(
                    told.version(),
                    told.generation(),
                    7,
                    told.control(),
                    Map.of("tcp", new DescribedTransport(List.of(rails.getFirst(), second))),
                    Optional.of(new DescribedEcho(65536, 64, Map.of("tcp", List.of(3L, 4L)))))));
    assertEquals(LATER, DescriptorWriter.write(later, LIMITS));
    assertEquals(later, read(LATER));
    assertEquals(0, told.revision());
    assertEquals(Optional.empty(), told.echo());
    assertFalse(rails.get(1).inactive());
  }

  @Test
  void whatIsWrongWithWhatCameLaterIsToldToo() {
    var faults = new TreeMap<String, String>();
    faults.put(LATER.replace("\"inactive\":true", "\"inactive\":1"), "/inactive: true or false");
    faults.put(LATER.replace("\"revision\":7", "\"revision\":-7"), "-7 is not within 0");
    faults.put(LATER.replace("65536", "-1"), "/shunt/echo/address: -1 is not within 0");
    faults.put(LATER.replace("\"length\":64", "\"length\":63"), "63 is not within 64");
    faults.put(
        LATER.replace("\"length\":64", "\"length\":9223372036854775807"), "beyond the end of all");
    faults.put(LATER.replace(",\"4\"]", "]"), "echo has 1 keys for transport \"tcp\"");
    faults.put(LATER.replace(",\"length\":64}", "}"), "the key \"length\" is missing");
    faults.forEach(
        (text, told) -> {
          var thrown = assertThrows(MalformedException.class, () -> read(text), told);
          assertTrue(thrown.getMessage().contains(told), thrown.getMessage());
        });
  }

  @Test
  void aNicThatIsOutOfUseKeepsItsPlaceAndIsNearToNothing() {
    var nics = List.of(new Topology.Nic("a", "0", 0), new Topology.Nic("b", "1", 0));
    var all = List.of(0, 1);
    var topology =
        new Topology(nics, List.of(new Topology.Memory("cpu:0", 0, all, List.of(1), List.of())));
    var without = topology.without(List.of("b", "c"));
    assertEquals(nics, without.nics());
    assertEquals(
        List.of(new Topology.Memory("cpu:0", 0, List.of(0), List.of(), List.of())),
        without.memories());
    assertEquals(topology, topology.without(List.of()));
  }

  @Test
  void whatIsWrittenReadsBackEqual() {
    long seed = 52;
    var descriptors = new Descriptors(seed);
    for (int i = 0; i < 2000; i++) {
      var descriptor = descriptors.next();
      var text = DescriptorWriter.write(descriptor, LIMITS);
      assertEquals(descriptor, read(text), "seed " + seed + ", number " + i);
    }
  }

  @Test
  void everyKeyThatTentDemandsIsThereWithItsType() {
    long seed = 53;
    var descriptors = new Descriptors(seed);
    for (int i = 0; i < 5000; i++) {
      var text = DescriptorWriter.write(descriptors.next(), LIMITS);
      JsonReader.read(
          "written",
          text,
          LIMITS.maxBytes(),
          json -> {
            TentReader.read(json);
            return null;
          });
    }
  }

  @Test
  void whatIsWrongIsToldWithItsPlace() {
    var faults = new TreeMap<String, String>();
    faults.put("", "is empty");
    faults.put("{", "is not JSON");
    faults.put("null", "an object is expected, not null");
    faults.put(OURS + "1", "more follows");
    faults.put(OURS.replace("\"name\":\"n\",", ""), "the key \"name\" is missing");
    faults.put(OURS.replace("\"memory\"", "\"file\""), "only memory is read");
    faults.put(
        OURS.replace("\"addr\":4096,", ""), "/detail/buffers/0: the key \"addr\" is missing");
    faults.put(
        OURS.replace("\"addr\":4096", "\"addr\":\"4096\""), "/detail/buffers/0/addr: a whole");
    faults.put(OURS.replace("\"addr\":4096", "\"addr\":-1"), "-1 is not within 0");
    faults.put(OURS.replace("\"addr\":4096", "\"addr\":4096.5"), "not a fraction");
    faults.put(
        OURS.replace("\"addr\":4096", "\"addr\":18446744073709551616"),
        "18446744073709551616 is not within");
    faults.put(OURS.replace("8192", "0"), "0 is not within 1");
    faults.put(OURS.replace("8192", "9223372036854775807"), "beyond the end of all addresses");
    faults.put(OURS.replace("\"address\":4096", "\"address\":4097"), "pair by place");
    faults.put(OURS.replace("[{\"access\"", "[{},{\"access\""), "/shunt/buffers/0");
    faults.put(OURS.replace("\"2\"]", "\"2\",\"3\"]"), "3 keys for transport \"tcp\"");
    faults.put(OURS.replace("\"keys\":{\"tcp\"", "\"keys\":{\"ib\""), "which has 0 rails");
    faults.put(OURS.replace("\"2\"]", "2]"), "/shunt/buffers/0/keys/tcp/1: a string");
    faults.put(OURS.replace("\"2\"]", "\"-2\"]"), "decimal digits");
    faults.put(OURS.replace("9223372036854775809", "ab12"), "/shunt/generation");
    faults.put(OURS.replace("9223372036854775809", "0"), "generation 0; every node");
    faults.put(OURS.replace("[\"h:1\",\"i:2\"]", "[]"), "no address of the control plane");
    faults.put(OURS.replace("REMOTE_READ", "LOCAL"), "none of REMOTE_READ");
    faults.put(OURS.replace("\"port\":\"5\"", "\"port\":5"), "/attributes/port: a string");
    faults.put(OURS.replace("\"version\":1", "\"version\":0"), "0 is not within 1");
    faults.put(OURS.replace("\"shm_path\":\"\"", "\"shm_path\":[]"), "/shm_path: a string");
    faults.put(OURS.replace("\"internal\":false", "\"internal\":0"), "true or false");
    faults.put(OURS.replace("\"name\":\"n\"", "\"name\":\"n\",\"name\":\"m\""), "uplicate");
    faults.forEach(
        (text, told) -> {
          var thrown = assertThrows(MalformedException.class, () -> read(text), told);
          assertTrue(thrown.getMessage().contains(told), thrown.getMessage());
          assertTrue(thrown.getMessage().startsWith("the descriptor of n"), thrown.getMessage());
        });
  }

  @Test
  void keysThatNobodyKnowsArePassedOver() {
    var more =
        OURS.replace("\"version\":1", "\"version\":2,\"later\":{\"a\":[1.5,null]}")
            .replace("\"access\"", "\"numa\":1,\"access\"")
            .replace("{\"addr\"", "{\"x\":{\"y\":[]},\"addr\"")
            .replace("{\"detail\"", "{\"other\":[[]],\"detail\"");
    assertEquals(2, read(more).extension().orElseThrow().version());
    assertEquals(read(OURS).buffers(), read(more).buffers());
  }

  @Test
  void aLateKeyOrAnEarlyOneIsTheSame() {
    var shunt = OURS.substring(OURS.indexOf("\"shunt\":"), OURS.indexOf(",\"type\""));
    var early =
        OURS.replace(shunt + ",", "").replaceFirst("\\{", "{" + shunt.replace("\\", "\\\\") + ",");
    assertEquals(read(OURS), read(early));
  }

  @Test
  void tooLargeATextIsRefusedUnread() {
    var small = new DescriptorLimits(100, 10);
    var thrown =
        assertThrows(MalformedException.class, () -> DescriptorReader.read("n", OURS, small));
    assertTrue(thrown.getMessage().contains("at most 100"), thrown.getMessage());
    var written = assertThrows(ShuntException.class, () -> DescriptorWriter.write(TENTS, small));
    assertEquals(FailureCode.RESOURCE, written.code());
  }

  @Test
  void tooManyBuffersAreRefused() {
    var none = new DescriptorLimits(1 << 20, 0);
    var thrown =
        assertThrows(MalformedException.class, () -> DescriptorReader.read("n", OURS, none));
    assertTrue(thrown.getMessage().contains("more than 0 elements"), thrown.getMessage());
  }

  @Test
  void deepNestingIsRefused() {
    var deep =
        OURS.replace("{\"detail\"", "{\"x\":" + "[".repeat(40) + "]".repeat(40) + ",\"detail\"");
    assertThrows(MalformedException.class, () -> read(deep));
  }

  @Test
  void mutatedTextsAreReadOrRefusedAndNothingElse() {
    long seed = 54;
    var dice = new Dice(seed);
    var descriptors = new Descriptors(seed);
    var texts = new String[300];
    for (int i = 0; i < texts.length; i++) {
      texts[i] =
          switch (i % 3) {
            case 0 -> i % 2 == 0 ? OURS : LATER;
            case 1 -> recorded();
            default -> DescriptorWriter.write(descriptors.next(), LIMITS);
          };
    }
    int read = 0;
    int refused = 0;
    for (int i = 0; i < 100_000; i++) {
      var where = "seed " + seed + ", number " + i;
      var text = Mutations.of(texts[(int) dice.below(texts.length)].getBytes(UTF_8), dice);
      var descriptor = attempt(text);
      if (spent > most(text)) {
        // The first of its kind links code; the second does not.
        attempt(text);
      }
      assertTrue(spent <= most(text), where + ": " + spent + " of " + text.length);
      if (descriptor.isPresent()) {
        read++;
        legal(descriptor.orElseThrow(), where);
      } else {
        refused++;
      }
    }
    assertTrue(read > 5000 && refused > 5000, "seed " + seed + ": " + read + ", " + refused);
  }

  /** A text may cost some times its length, and what a reader costs, however it is damaged. */
  private static long most(byte[] text) {
    return (96 << 10) + 64L * text.length;
  }

  private Optional<Descriptor> attempt(byte[] text) {
    long before = Allocated.bytes();
    try {
      return Optional.of(DescriptorReader.read("n", text, LIMITS));
    } catch (MalformedException malformed) {
      return Optional.empty();
    } finally {
      spent = Allocated.bytes() - before;
    }
  }

  /** What was read can be told to a TENT process, and is then read as the same. */
  private static void legal(Descriptor descriptor, String where) {
    var written = DescriptorWriter.write(descriptor, LIMITS);
    assertEquals(descriptor, read(written), where);
    JsonReader.read(
        where,
        written,
        LIMITS.maxBytes(),
        json -> {
          TentReader.read(json);
          return null;
        });
    for (var buffer : descriptor.buffers()) {
      assertTrue(buffer.address() >= 0 && buffer.length() > 0);
      assertTrue(buffer.address() + buffer.length() > 0);
      buffer
          .keys()
          .forEach(
              (id, keys) ->
                  assertEquals(
                      descriptor.extension().orElseThrow().transports().get(id).rails().size(),
                      keys.size()));
    }
    descriptor.extension().ifPresent(told -> assertTrue(told.generation() != 0));
  }

  @Test
  void aBufferKnowsWhatItContains() {
    var buffer = TENTS.buffers().getFirst();
    long from = buffer.address();
    assertTrue(buffer.contains(from, buffer.length()));
    assertTrue(buffer.contains(from + buffer.length(), 0));
    assertFalse(buffer.contains(from - 1, 1));
    assertFalse(buffer.contains(from + 1, buffer.length()));
    assertFalse(buffer.contains(from, -1));
    assertFalse(buffer.contains(Long.MAX_VALUE, 1));
    assertFalse(buffer.contains(from, Long.MAX_VALUE));
  }

  @Test
  void aBufferThatIsNoneIsRefused() {
    for (long[] range : new long[][] {{0, 0}, {-1, 1}, {Long.MAX_VALUE, 1}, {1, -1}}) {
      assertThrows(
          IllegalArgumentException.class,
          () ->
              new DescribedBuffer(
                  range[0], range[1], Access.REMOTE_READ, "", List.of(), List.of(), Map.of()));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> new DescribedBuffer(1, 1, Access.LOCAL, "", List.of(), List.of(), Map.of()));
  }
}
