package dev.shunt.runtime.sim;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Attempts;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.api.spi.Wires;
import java.util.List;

/** Provides the transport under test to one process, watched. */
final class CheckedProvider implements TransportProvider {
  private final TransportProvider inner;
  private final Guard guard;
  private CheckedTransport transport;

  CheckedProvider(TransportProvider inner, Guard guard) {
    this.inner = inner;
    this.guard = guard;
  }

  CheckedTransport transport() {
    return transport;
  }

  @Override
  public String id() {
    return inner.id();
  }

  @Override
  public int spiVersion() {
    return inner.spiVersion();
  }

  @Override
  public String version() {
    return inner.version();
  }

  @Override
  public List<Capability> capabilities() {
    return inner.capabilities();
  }

  @Override
  public Transport create(TransportContext context) {
    transport = new CheckedTransport(inner.id(), inner.create(new Lent(context, guard)), guard);
    return transport;
  }

  /** What the runtime lends, with watched memory. */
  private record Lent(TransportContext real, Guard guard) implements TransportContext {
    @Override
    public Regions regions() {
      var regions = real.regions();
      return new Regions() {
        @Override
        public Refusal acquire(long address, long length, long key, boolean write, Lease lease) {
          return guard.acquire(regions, address, length, key, write, lease);
        }
      };
    }

    @Override
    public Config config() {
      return real.config();
    }

    @Override
    public String node() {
      return real.node();
    }

    @Override
    public String controlAddress() {
      return real.controlAddress();
    }

    @Override
    public long generation() {
      return real.generation();
    }

    @Override
    public long now() {
      return real.now();
    }

    @Override
    public long random() {
      return real.random();
    }

    @Override
    public int lanes() {
      return real.lanes();
    }

    @Override
    public Mailbox lane(int lane) {
      return real.lane(lane);
    }

    @Override
    public Supervisor supervisor() {
      return real.supervisor();
    }

    @Override
    public ControlPlane control() {
      return real.control();
    }

    @Override
    public Wires wires() {
      return real.wires();
    }

    @Override
    public Attempts attempts() {
      return real.attempts();
    }
  }
}
