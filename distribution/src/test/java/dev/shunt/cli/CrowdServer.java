package dev.shunt.cli;

import dev.shunt.api.Access;
import dev.shunt.api.Engine;
import dev.shunt.api.EngineFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Many nodes in one process, each with memory for others. Run with how many, the bytes of each, and
 * settings as for {@code --set}; tells their names on a line; ends with its input.
 */
final class CrowdServer {
  private CrowdServer() {}

  public static void main(String[] args) {
    java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.WARNING);
    Thread.ofPlatform().daemon().start(CrowdServer::endWithInput);
    int count = Integer.parseInt(args[0]);
    long bytes = Long.parseLong(args[1]);
    var names = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      var engine = engine(List.of(args).subList(2, args.length));
      var memory = engine.arena().allocate(bytes, 4096);
      memory.fill((byte) 1);
      engine.register(memory, Access.REMOTE_READ_WRITE);
      names.add(engine.name());
    }
    System.out.println("ready " + String.join(" ", names));
    while (true) {
      java.util.concurrent.locks.LockSupport.park();
    }
  }

  /** A node with as few threads as there can be: there are hundreds of them. */
  static Engine engine(List<String> settings) {
    var builder =
        EngineFactory.installed()
            .builder()
            .set("transports.rdma.enable", false)
            .set("transports.nof.enable", false)
            .set("transports.tcp.lanes", 1);
    for (var setting : settings) {
      var at = setting.indexOf('=');
      if (at < 0) {
        break;
      }
      builder = builder.set(setting.substring(0, at), setting.substring(at + 1));
    }
    return builder.open();
  }

  private static void endWithInput() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException _) {
      // It ends all the same.
    }
    Runtime.getRuntime().halt(0);
  }
}
