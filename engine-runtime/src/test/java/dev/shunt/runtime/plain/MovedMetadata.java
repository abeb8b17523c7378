package dev.shunt.runtime.plain;

import dev.shunt.api.spi.Lookup;
import dev.shunt.api.spi.MetadataBackend;
import dev.shunt.api.spi.MetadataContext;
import dev.shunt.api.spi.MetadataProvider;
import dev.shunt.api.spi.Spi;
import java.util.function.Consumer;

/**
 * As metadata-p2p, for recorded peers: their descriptors name the ports that they had then, so the
 * one that is asked is put in its place.
 */
final class MovedMetadata implements MetadataProvider {
  @Override
  public String id() {
    return "moved";
  }

  @Override
  public int spiVersion() {
    return Spi.VERSION;
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public MetadataBackend create(MetadataContext context) {
    return new MetadataBackend() {
      @Override
      public String nodeName(String configured, String controlAddress) {
        return controlAddress;
      }

      @Override
      public void publish(String name, String descriptor) {}

      @Override
      public void withdraw(String name) {}

      @Override
      public void lookup(String name, long deadline, Consumer<Lookup> answer) {
        context.ask(name, deadline, found -> answer.accept(moved(name, found)));
      }

      @Override
      public void close() {}
    };
  }

  private static Lookup moved(String name, Lookup found) {
    return found instanceof Lookup.Found(var text)
        ? new Lookup.Found(
            text.replaceFirst(
                "\"rpc_server_addr\":\"[^\"]*\"", "\"rpc_server_addr\":\"" + name + "\""))
        : found;
  }
}
