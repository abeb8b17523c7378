package dev.shunt.runtime.transport;

import dev.shunt.api.Operation;
import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.Regions;
import dev.shunt.runtime.observe.InboundMeter;

/**
 * Registered memory as one transport, or the control plane, reaches it, with a count of what peers
 * ask for.
 */
public final class MeteredRegions implements Regions {
  private final Regions regions;
  private final InboundMeter meter = new InboundMeter();

  /** Nothing counted yet. */
  public MeteredRegions(Regions regions) {
    this.regions = regions;
  }

  /** What was asked for. */
  public InboundMeter meter() {
    return meter;
  }

  @Override
  public Refusal acquire(long address, long length, long key, boolean write, Lease lease) {
    var answer = regions.acquire(address, length, key, write, lease);
    meter.asked(write ? Operation.WRITE : Operation.READ, length, answer);
    return answer;
  }
}
