package dev.shunt.api.contract;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.api.spi.Verdict;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the suite must know of a transport to test it: made anew for each test and each seed, and
 * used for it alone. There are two hosts, {@code a} and {@code b}; {@code a} transfers, {@code b}
 * is its remote, unless the transport has targets.
 */
public abstract class ContractKit {
  /** Subclasses make one for each test. */
  protected ContractKit() {}

  /** Where it plays; the same object each time. */
  public abstract Stage stage();

  /** The provider for a host, on the fabric of this kit. */
  public abstract TransportProvider provider(String host);

  /**
   * The transport's configuration on a host: over its defaults, whatever differs here, such as
   * addresses. {@link #config(TransportProvider, Map)} helps.
   */
  public abstract Config config(String host);

  /** What can be broken here; without faults, those tests are skipped and say so. */
  public Optional<Faults> faults() {
    return Optional.empty();
  }

  /** A target to transfer with, instead of host {@code b}. */
  public Optional<TargetKit> target() {
    return Optional.empty();
  }

  /** How many lanes a host has. */
  public int lanes() {
    return 2;
  }

  /** The most bytes of a slice that the machine has memory for, whatever the limits allow. */
  public long largestSlice() {
    return 16 << 20;
  }

  /**
   * Whether the fabric ends the whole channel with a refused slice, and has one answer for a wrong
   * range, a wrong key and missing access. True only where hardware leaves no choice.
   */
  public boolean refusalEndsChannel() {
    return false;
  }

  /**
   * How many of the fabric's own objects exist (queue pairs, registrations, handles), beyond what
   * the stage can see by itself.
   */
  public long resources() {
    return 0;
  }

  /** A process died; a kit with a fabric of its own tells it. */
  public void died(String host, boolean silently) {}

  /** Values that {@link TransportProvider#validate} must refuse, by their key. */
  public Map<String, Object> malformed() {
    return Map.of();
  }

  /** What the two hosts agreed on: the highest version of each capability. */
  public Verdict verdict() {
    var versions = new TreeMap<String, Integer>();
    for (var capability : provider("a").capabilities()) {
      if (capability.scope() == Capability.Scope.PEER) {
        versions.put(capability.id(), capability.highest());
      }
    }
    return new Verdict(versions);
  }

  /** The defaults of a provider's {@code reference.conf}, with some values of one's own. */
  public static Config config(TransportProvider provider, Map<String, ?> values) {
    var path = "shunt.transports." + provider.id();
    var defaults = ConfigFactory.defaultReference(provider.getClass().getClassLoader());
    var config = defaults.hasPath(path) ? defaults.getConfig(path) : ConfigFactory.empty();
    for (var entry : values.entrySet()) {
      config = config.withValue(entry.getKey(), ConfigValueFactory.fromAnyRef(entry.getValue()));
    }
    return config.resolve();
  }

  /** How to break things. Each answers false if it cannot be done here. */
  public interface Faults {
    /** Ends all that uses a path of {@code a} to its remote, at once and for both sides. */
    boolean cut(int localRail, int remoteRail);

    /** Keeps in the network what travels from {@code a}, or is sent now. Nothing is lost. */
    boolean hold(int localRail, int remoteRail);

    /** Lets arrive what was held. */
    boolean release(int localRail, int remoteRail);

    /** Loses everything on a path, in both directions, silently. */
    boolean silence(int localRail, int remoteRail);

    /** Ends the silence. */
    boolean heal(int localRail, int remoteRail);

    /** Each attempt to connect shows up twice at the remote. */
    default boolean duplicateConnects(int localRail, int remoteRail) {
      return false;
    }

    /** Throws nonsense at what {@code b} listens on; {@code rail} says where. */
    default boolean nonsense(Map<String, String> rail, byte[] bytes) {
      return false;
    }
  }

  /** A target of the transport's own, made by the kit. */
  public interface TargetKit {
    /** By which {@link dev.shunt.api.spi.Transport#openTarget} opens it. */
    String segment();

    /** What it stores. */
    RemoteMemory memory();

    /** Ends its process; true if the kit can. */
    default boolean kill() {
      return false;
    }

    /** Stops its process where it is; true if the kit can. */
    default boolean freeze() {
      return false;
    }

    /** Lets it go on. */
    default void thaw() {}
  }
}
