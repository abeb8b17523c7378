package dev.shunt.runtime.process;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Engine;
import dev.shunt.api.Notification;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The main program of a node in a process of its own: its arguments are settings; it does what the
 * lines of its standard input say, answers each with a line, and ends with them.
 */
final class LoneNode {
  static final int MEMORY = 4 << 20;

  /** Before a capability that TCP never heard of, in the place of a setting. */
  static final String LACKS = "lacks ";

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Optional<TakenTcp> tcp;
  private final Engine engine;
  private final MemorySegment memory;
  private Segment peer;

  private LoneNode(Optional<TakenTcp> tcp, Engine engine) {
    this.tcp = tcp;
    this.engine = engine;
    memory = engine.arena().allocate(MEMORY, 4096);
    engine.register(memory, Access.REMOTE_READ_WRITE);
  }

  /** The checksum of memory, as it is told by one process to another. */
  static String checksum(MemorySegment memory) {
    var checksum = new CRC32C();
    checksum.update(memory.asByteBuffer());
    return Long.toHexString(checksum.getValue());
  }

  /** Bytes that tell their place and whose they are. */
  static void fill(MemorySegment memory, long seed) {
    for (long i = 0; i + 8 <= memory.byteSize(); i += 8) {
      memory.set(ValueLayout.JAVA_LONG, i, (i + 1) * 0x9E3779B97F4A7C15L + seed);
    }
  }

  public static void main(String[] args) throws Exception {
    var lacks = Stream.of(args).filter(arg -> arg.startsWith(LACKS)).toList();
    var settings = Stream.of(args).filter(arg -> !arg.startsWith(LACKS)).toList();
    var tcp =
        present()
            ? Optional.of(new TakenTcp(true, has -> !lacks.contains(LACKS + has.id())))
            : Optional.<TakenTcp>empty();
    var builder = Settings.builder(settings);
    tcp.ifPresent(builder::transport);
    try (var engine = builder.open()) {
      var node = new LoneNode(tcp, engine);
      System.out.println("ready " + engine.name());
      var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        System.out.println(node.answer(line.split(" ")));
      }
    }
  }

  private static boolean present() {
    try {
      Class.forName("dev.shunt.transport.tcp.TcpTransportProvider");
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private String answer(String[] words) throws InterruptedException, IOException {
    return switch (words[0]) {
      case "hold", "read" -> {
        tcp.orElseThrow().hold(Integer.parseInt(words[1]), words[0].equals("hold"));
        yield "ok";
      }
      case "sum" -> checksum(memory.asSlice(0, Long.parseLong(words[1])));
      case "generation" -> Long.toUnsignedString(engine.generation());
      case "offers" ->
          engine.status().plugins().stream().map(plugin -> plugin.id()).toList().toString();
      case "open" -> {
        peer = engine.openSegment(words[1], PATIENCE);
        yield "ok";
      }
      case "write" -> {
        var part = memory.asSlice(0, Long.parseLong(words[1]));
        fill(part, Long.parseLong(words[2]));
        move(Request.write(part, peer, peer.buffers().getFirst().address()));
        yield checksum(part);
      }
      case "get" -> {
        var part = memory.asSlice(0, Long.parseLong(words[1])).fill((byte) 0);
        move(Request.read(part, peer, peer.buffers().getFirst().address()));
        yield checksum(part);
      }
      case "send" ->
          engine
              .send(peer, new Notification(words[1], words[2]), PATIENCE)
              .await(PATIENCE)
              .toString();
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  private void move(Request request) throws InterruptedException {
    engine.submit(Batch.of(request).within(PATIENCE)).await(PATIENCE).orThrow();
  }
}
