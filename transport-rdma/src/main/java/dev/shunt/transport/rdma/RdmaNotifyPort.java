package dev.shunt.transport.rdma;

import dev.shunt.api.spi.NotifyFrame;
import dev.shunt.api.spi.NotifyPort;
import dev.shunt.api.spi.RetireReason;

/** What the runtime has of a {@link NotifyEnd}. A plain peer's may have one after the other. */
record RdmaNotifyPort(NotifyEnd end, RdmaLink link) implements NotifyPort {
  @Override
  public int protocol() {
    return end.protocol();
  }

  @Override
  public int maxFrame() {
    return NotifySlab.SLOT;
  }

  @Override
  public int room() {
    return end.room(this);
  }

  @Override
  public void post(NotifyFrame frame, long now) {
    end.post(this, frame, now);
  }

  @Override
  public void retire(RetireReason reason, long now) {
    end.retire(this, RdmaChannel.retired(link, reason), now);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
