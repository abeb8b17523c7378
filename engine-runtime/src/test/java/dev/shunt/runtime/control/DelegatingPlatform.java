package dev.shunt.runtime.control;

import dev.shunt.api.spi.Wires;
import dev.shunt.runtime.agent.Agent;
import dev.shunt.runtime.agent.Platform;
import java.util.concurrent.Callable;

/** Another platform, of which a test replaces a part. */
class DelegatingPlatform implements Platform {
  private final Platform to;

  DelegatingPlatform(Platform to) {
    this.to = to;
  }

  @Override
  public long now() {
    return to.now();
  }

  @Override
  public long wallMillis() {
    return to.wallMillis();
  }

  @Override
  public long random() {
    return to.random();
  }

  @Override
  public Wires wires() {
    return to.wires();
  }

  @Override
  public Running start(Agent agent) {
    return to.start(agent);
  }

  @Override
  public <T> boolean sacrifice(String what, Callable<T> call, Ended<T> done) {
    return to.sacrifice(what, call, done);
  }
}
