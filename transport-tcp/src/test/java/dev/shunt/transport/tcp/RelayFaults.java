package dev.shunt.transport.tcp;

import dev.shunt.api.contract.ContractKit.Faults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;

/** What a relay can do to the rails of two hosts. */
final class RelayFaults implements Faults {
  private final RelayStage stage;
  private final List<String> ofA;
  private final List<String> ofB;

  RelayFaults(RelayStage stage, List<String> ofA, List<String> ofB) {
    this.stage = stage;
    this.ofA = ofA;
    this.ofB = ofB;
  }

  private List<RelayPath> paths(int localRail, int remoteRail) {
    return stage.between(ofA.get(localRail), ofB.get(remoteRail));
  }

  @Override
  public boolean cut(int localRail, int remoteRail) {
    paths(localRail, remoteRail).forEach(RelayPath::cut);
    return true;
  }

  @Override
  public boolean hold(int localRail, int remoteRail) {
    paths(localRail, remoteRail).forEach(it -> it.hold(true));
    return true;
  }

  @Override
  public boolean release(int localRail, int remoteRail) {
    paths(localRail, remoteRail).forEach(it -> it.hold(false));
    return true;
  }

  @Override
  public boolean silence(int localRail, int remoteRail) {
    stage.silence(ofA.get(localRail), ofB.get(remoteRail), true);
    return true;
  }

  @Override
  public boolean heal(int localRail, int remoteRail) {
    stage.silence(ofA.get(localRail), ofB.get(remoteRail), false);
    return true;
  }

  @Override
  public boolean nonsense(Map<String, String> rail, byte[] bytes) {
    var port = Integer.parseInt(rail.get("port"));
    var address = new InetSocketAddress(InetAddress.ofLiteral(rail.get("address")), port);
    try (var stranger = SocketChannel.open(address)) {
      stranger.write(ByteBuffer.wrap(bytes));
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
