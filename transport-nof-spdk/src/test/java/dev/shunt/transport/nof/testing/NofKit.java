package dev.shunt.transport.nof.testing;

import com.typesafe.config.Config;
import dev.shunt.api.contract.ContractKit;
import dev.shunt.api.contract.RealStage;
import dev.shunt.api.contract.RemoteMemory;
import dev.shunt.api.contract.SimFaults;
import dev.shunt.api.contract.Stage;
import dev.shunt.api.contract.VirtualStage;
import dev.shunt.api.sim.Actor;
import dev.shunt.api.sim.SimProcess.Death;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.transport.nof.NofTransportProvider;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The initiator on host {@code a}, and a {@link SoftTarget} on host {@code b}. */
public final class NofKit extends ContractKit {
  private static final int PORT = 4420;

  private final Stage stage;
  private final SoftTarget target;
  private final Map<String, Object> values = new TreeMap<>();

  private NofKit(Stage stage, SoftOptions options, String address, int port, long seed) {
    this.stage = stage;
    stage.start("b");
    var random = new SplittableRandom(seed);
    target = new SoftTarget(stage.wires("b").open("target"), options, random::nextLong);
    target.listen(new InetSocketAddress(InetAddress.ofLiteral(address), port));
    stage.actor(
        "b",
        "target",
        new Actor() {
          @Override
          public int work(long now) {
            return target.work(now);
          }

          @Override
          public long nextDeadline() {
            return target.nextDeadline();
          }
        });
    values.put("num-io-queues", 64);
  }

  /** In a virtual world; the initiator has two rails. */
  public static NofKit virtual(long seed, SoftOptions options) {
    var kit = new NofKit(new VirtualStage(seed), options, "10.0.0.2", PORT, seed);
    kit.values.put("rails", List.of("10.0.0.1", "10.0.1.1"));
    return kit;
  }

  /** On loopback. */
  public static NofKit real(long seed, SoftOptions options) {
    return new NofKit(new RealStage(seed), options, "127.0.0.1", 0, seed);
  }

  /** Configures the initiator. */
  public NofKit with(String key, Object value) {
    values.put(key, value);
    return this;
  }

  /** The target. */
  public SoftTarget soft() {
    return target;
  }

  @Override
  public Stage stage() {
    return stage;
  }

  @Override
  public TransportProvider provider(String host) {
    return new NofTransportProvider();
  }

  @Override
  public Config config(String host) {
    return config(provider(host), values);
  }

  @Override
  public Optional<Faults> faults() {
    return Optional.of(stage instanceof VirtualStage virtual ? new SimFaults(virtual) : new Cuts());
  }

  @Override
  public Map<String, Object> malformed() {
    return Map.of(
        "keep-alive-timeout", "-1s",
        "admin-poll-interval", "9s",
        "io-queue-size", 1,
        "num-io-queues", 0,
        "slice-size", 513,
        "max-slice", "2GiB",
        "fabrics-connect-timeout", "0s",
        "host-nqn", "iqn.wrong");
  }

  @Override
  public Optional<TargetKit> target() {
    return Optional.of(
        new TargetKit() {
          @Override
          public String segment() {
            return target.name();
          }

          @Override
          public RemoteMemory memory() {
            return new Namespace();
          }

          @Override
          public boolean kill() {
            stage.kill("b", Death.KILLED);
            return true;
          }

          @Override
          public boolean freeze() {
            stage.freeze("b");
            return true;
          }

          @Override
          public void thaw() {
            stage.thaw("b");
          }
        });
  }

  /** What can be broken over real sockets. */
  private final class Cuts implements Faults {
    @Override
    public boolean cut(int localRail, int remoteRail) {
      target.dropAll();
      return true;
    }

    @Override
    public boolean hold(int localRail, int remoteRail) {
      target.freeze();
      return true;
    }

    @Override
    public boolean release(int localRail, int remoteRail) {
      target.thaw();
      return true;
    }

    @Override
    public boolean silence(int localRail, int remoteRail) {
      target.freeze();
      return true;
    }

    @Override
    public boolean heal(int localRail, int remoteRail) {
      target.thaw();
      return true;
    }
  }

  private final class Namespace implements RemoteMemory {
    @Override
    public long address() {
      return 0;
    }

    @Override
    public long length() {
      return target.memory().byteSize();
    }

    @Override
    public int block() {
      return target.options().blockSize;
    }

    @Override
    public long key(int rail) {
      return 0;
    }

    @Override
    public void copyOut(long offset, MemorySegment into) {
      MemorySegment.copy(target.memory(), offset, into, 0, into.byteSize());
    }

    @Override
    public void copyIn(long offset, MemorySegment from) {
      MemorySegment.copy(from, 0, target.memory(), offset, from.byteSize());
    }
  }
}
