package org.example.shunt.unix;

import com.typesafe.config.Config;
import dev.shunt.api.contract.ContractKit;
import dev.shunt.api.contract.RealStage;
import dev.shunt.api.contract.Stage;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Spi;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two hosts with sockets in two directories; what can be broken is broken on the host b. */
final class UnixKit extends ContractKit implements ContractKit.Faults {
  private final RealStage stage;
  private final List<String> directories;
  private final Map<String, UnixTransport> transports = new HashMap<>();

  UnixKit(long seed, Path one, Path two) {
    stage = new RealStage(seed);
    directories = List.of(one.toString(), two.toString());
  }

  @Override
  public Stage stage() {
    return stage;
  }

  @Override
  public TransportProvider provider(String host) {
    return new Kept(host);
  }

  @Override
  public Config config(String host) {
    return config(new UnixProvider(), Map.of("directories", directories));
  }

  @Override
  public Map<String, Object> malformed() {
    return Map.of("max-inbound", 0, "hello-timeout", "0s", "inbound-progress-timeout", "30d");
  }

  @Override
  public void died(String host, boolean silently) {
    transports.get(host).lanes().forEach(UnixLane::abandon);
  }

  @Override
  public Optional<Faults> faults() {
    return Optional.of(this);
  }

  @Override
  public boolean cut(int localRail, int remoteRail) {
    for (var inbound : List.copyOf(transports.get("b").lanes().getFirst().inbound())) {
      if (inbound.rail() == remoteRail) {
        inbound.end();
      }
    }
    return true;
  }

  @Override
  public boolean hold(int localRail, int remoteRail) {
    return false;
  }

  @Override
  public boolean release(int localRail, int remoteRail) {
    return false;
  }

  @Override
  public boolean silence(int localRail, int remoteRail) {
    return false;
  }

  @Override
  public boolean heal(int localRail, int remoteRail) {
    return false;
  }

  @Override
  public boolean nonsense(Map<String, String> rail, byte[] bytes) {
    try (var socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.connect(UnixDomainSocketAddress.of(rail.get("path")));
      socket.write(ByteBuffer.wrap(bytes));
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The provider, with its transport kept for those who break it. */
  private final class Kept implements TransportProvider {
    private final UnixProvider provider = new UnixProvider();
    private final String host;

    Kept(String host) {
      this.host = host;
    }

    @Override
    public String id() {
      return provider.id();
    }

    @Override
    public int spiVersion() {
      return Spi.VERSION;
    }

    @Override
    public String version() {
      return provider.version();
    }

    @Override
    public List<Capability> capabilities() {
      return provider.capabilities();
    }

    @Override
    public void validate(Config config) {
      provider.validate(config);
    }

    @Override
    public Transport create(TransportContext context) {
      var made = (UnixTransport) provider.create(context);
      transports.put(host, made);
      return made;
    }
  }
}
