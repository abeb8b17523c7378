package dev.shunt.runtime.admin;

import dev.shunt.runtime.json.JsonReader;
import dev.shunt.runtime.json.JsonWriter;
import dev.shunt.runtime.json.MalformedException;

/**
 * What a runtime file says of a node.
 *
 * @param name the node's name
 * @param generation its generation
 * @param pid its process
 * @param processStarted when that began, in milliseconds since 1970; 0 if the system does not tell
 * @param admin {@code host:port} of its HTTP for operators
 * @param token what {@code /recording} asks for
 */
public record RuntimeEntry(
    String name, long generation, long pid, long processStarted, String admin, String token) {
  static final int MOST_BYTES = 4096;

  /** That of a node of a process. */
  public static RuntimeEntry of(
      String name, long generation, ProcessHandle process, String admin, String token) {
    return new RuntimeEntry(name, generation, process.pid(), startOf(process), admin, token);
  }

  byte[] json() {
    return JsonWriter.bytes(
        json -> {
          json.writeStartObject();
          json.writeStringProperty("name", name);
          json.writeStringProperty("generation", Long.toUnsignedString(generation));
          json.writeNumberProperty("pid", pid);
          json.writeNumberProperty("process_started_ms", processStarted);
          json.writeStringProperty("admin", admin);
          json.writeStringProperty("token", token);
          json.writeEndObject();
        });
  }

  static RuntimeEntry read(String what, byte[] text) throws MalformedException {
    return JsonReader.read(
        what,
        text,
        MOST_BYTES,
        json -> {
          var fields = new Fields();
          json.object(
              key -> {
                switch (key) {
                  case "name" -> fields.name = json.string(512);
                  case "generation" -> fields.generation = json.unsigned();
                  case "pid" -> fields.pid = json.integer(1, Long.MAX_VALUE);
                  case "process_started_ms" -> fields.started = json.integer(0, Long.MAX_VALUE);
                  case "admin" -> fields.admin = json.string(128);
                  case "token" -> fields.token = json.string(128);
                  default -> json.skip();
                }
              });
          return new RuntimeEntry(
              json.required("name", fields.name),
              fields.generation,
              json.required("pid", fields.pid),
              fields.started,
              json.required("admin", fields.admin),
              json.required("token", fields.token));
        });
  }

  /** Whether the process that wrote it is still there, and no other one under its number. */
  public boolean alive() {
    var process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
    return process.isPresent() && (processStarted == 0 || startOf(process.get()) == processStarted);
  }

  private static long startOf(ProcessHandle process) {
    return process.info().startInstant().map(java.time.Instant::toEpochMilli).orElse(0L);
  }

  private static final class Fields {
    private String name;
    private long generation;
    private Long pid;
    private long started;
    private String admin;
    private String token;
  }
}
