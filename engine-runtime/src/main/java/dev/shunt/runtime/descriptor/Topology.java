package dev.shunt.runtime.descriptor;

import dev.shunt.runtime.json.JsonWriter;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** TENT's picture of a machine: NICs, and which of them are near to which memory. */
public record Topology(List<Nic> nics, List<Memory> memories) {
  /** One kind of memory, that of the host, and no RDMA device. */
  public static final Topology HOST_ONLY =
      new Topology(
          List.of(),
          List.of(
              new Memory("*", -1, List.of(), List.of(), List.of()),
              new Memory("cpu:0", 0, List.of(), List.of(), List.of())));

  private static final int NIC_RDMA = 0;
  private static final int MEMORY_HOST = 0;

  /** Copies. */
  public Topology {
    nics = List.copyOf(nics);
    memories = List.copyOf(memories);
  }

  /** An RDMA NIC. */
  public record Nic(String name, String pciBusId, int numaNode) {}

  /**
   * Host memory.
   *
   * @param near indices of the NICs that are nearest, and so on in two more ranks
   */
  public record Memory(
      String name, int numaNode, List<Integer> near, List<Integer> middle, List<Integer> far) {}

  /**
   * The same, but that no memory is near to some of the NICs: nobody chooses them. They keep their
   * places, by which others are counted.
   *
   * @param names of those that are out of use
   */
  public Topology without(List<String> names) {
    return new Topology(
        nics,
        memories.stream()
            .map(
                memory ->
                    new Memory(
                        memory.name(),
                        memory.numaNode(),
                        used(memory.near(), names),
                        used(memory.middle(), names),
                        used(memory.far(), names)))
            .toList());
  }

  private List<Integer> used(List<Integer> indices, List<String> out) {
    return indices.stream().filter(index -> !out.contains(nics.get(index).name())).toList();
  }

  /** As the descriptor carries it: in lines, as TENT writes it. */
  public String text() {
    return JsonWriter.lines(
        json -> {
          json.writeStartObject();
          json.writeArrayPropertyStart("mems");
          memories.forEach(memory -> write(json, memory));
          json.writeEndArray();
          json.writeArrayPropertyStart("nics");
          for (var nic : nics) {
            json.writeStartObject();
            json.writeStringProperty("name", nic.name());
            json.writeNumberProperty("numa_node", nic.numaNode());
            json.writeStringProperty("pci_bus_id", nic.pciBusId());
            json.writeNumberProperty("type", NIC_RDMA);
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void write(JsonGenerator json, Memory memory) {
    json.writeStartObject();
    json.writeObjectPropertyStart("device_list");
    rank(json, "rank0", memory.near());
    rank(json, "rank1", memory.middle());
    rank(json, "rank2", memory.far());
    json.writeEndObject();
    json.writeStringProperty("name", memory.name());
    json.writeNumberProperty("numa_node", memory.numaNode());
    json.writeStringProperty("pci_bus_id", "");
    json.writeNumberProperty("type", MEMORY_HOST);
    json.writeEndObject();
  }

  private static void rank(JsonGenerator json, String name, List<Integer> indices) {
    json.writeArrayPropertyStart(name);
    indices.forEach(json::writeNumber);
    json.writeEndArray();
  }
}
