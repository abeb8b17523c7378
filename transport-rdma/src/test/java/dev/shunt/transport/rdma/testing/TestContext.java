package dev.shunt.transport.rdma.testing;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Attempts;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.Wires;

/** What a test's node lends to its transport. */
record TestContext(TestNode host) implements TransportContext {
  @Override
  public Config config() {
    return host.config();
  }

  @Override
  public String node() {
    return host.name();
  }

  @Override
  public long generation() {
    return host.generation();
  }

  @Override
  public long now() {
    return host.now();
  }

  @Override
  public long random() {
    return host.draw();
  }

  @Override
  public int lanes() {
    return 1;
  }

  @Override
  public Mailbox lane(int lane) {
    return task -> {
      host.onLane(task);
      return true;
    };
  }

  @Override
  public Supervisor supervisor() {
    return host;
  }

  @Override
  public Regions regions() {
    throw new UnsupportedOperationException("the NIC looks after memory by itself");
  }

  @Override
  public ControlPlane control() {
    return host;
  }

  @Override
  public Wires wires() {
    throw new UnsupportedOperationException("no streams here");
  }

  @Override
  public Attempts attempts() {
    return host.attempts;
  }
}
