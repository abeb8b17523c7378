package dev.shunt.runtime.sim;

import dev.shunt.api.spi.PeerHealth;
import java.util.List;
import java.util.Optional;

/** The machine for peers that do not answer, watched. */
final class CheckedPeers implements PeerHealth {
  private final PeerHealth inner;
  private final Guard guard;

  CheckedPeers(PeerHealth inner, Guard guard) {
    this.inner = inner;
    this.guard = guard;
  }

  private boolean marked(String address, long now) {
    return inner.unreachable(now).stream().anyMatch(one -> one.address().equals(address));
  }

  @Override
  public Optional<Unreachable> admit(String address, long now) {
    var why = inner.admit(address, now);
    if (why.isPresent()) {
      guard.cluster().mark(Mark.FAIL_FAST);
      if (guard.cluster().weakness() == Weakness.SILENCE_FORGOTTEN) {
        return Optional.empty();
      }
    }
    return why;
  }

  @Override
  public void silent(String address, long generation, String why, long begun, long now) {
    boolean before = marked(address, now);
    inner.silent(address, generation, why, begun, now);
    if (!before && marked(address, now)) {
      guard.cluster().mark(Mark.PEER_SILENT);
      guard.silent(address, why);
    }
    bounded(now);
  }

  @Override
  public void unanswered(String address, String why, long now) {
    inner.unanswered(address, why, now);
    bounded(now);
  }

  private void bounded(long now) {
    int marked = inner.unreachable(now).size();
    if (marked > guard.cluster().everyone().size() * 2) {
      guard.cluster().broken(guard.node + " remembers " + marked + " peers that are silent");
    }
  }

  @Override
  public void answered(String address, long now) {
    boolean before = marked(address, now);
    inner.answered(address, now);
    if (before) {
      guard.cluster().mark(Mark.SILENCE_OVER);
      if (marked(address, now)) {
        guard.cluster().broken(guard.node + ": " + address + " answered, and is silent still");
      }
    }
  }

  @Override
  public void stoodStill(long nanos, long now) {
    guard.cluster().mark(Mark.OWN_FREEZE_NOTICED);
    inner.stoodStill(nanos, now);
  }

  @Override
  public List<String> probes(int most, long now) {
    return inner.probes(most, now);
  }

  @Override
  public long nextProbe() {
    return inner.nextProbe();
  }

  @Override
  public List<Unreachable> unreachable(long now) {
    return inner.unreachable(now);
  }
}
