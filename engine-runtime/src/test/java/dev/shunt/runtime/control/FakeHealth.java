package dev.shunt.runtime.control;

import dev.shunt.api.spi.PeerHealth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The simplest peer health there can be: one cooldown, and a probe each second. */
final class FakeHealth implements PeerHealth {
  static final long SECOND = 1_000_000_000L;

  final List<String> told = new ArrayList<>();
  private final Map<String, Unreachable> marks = new LinkedHashMap<>();
  private final long cooldown;
  boolean forgiving;

  FakeHealth(long cooldown) {
    this.cooldown = cooldown;
  }

  @Override
  public Optional<Unreachable> admit(String address, long now) {
    return Optional.ofNullable(marks.get(address)).filter(mark -> mark.until() - now > 0);
  }

  @Override
  public void silent(String address, long generation, String why, long begun, long now) {
    told.add("silent " + address + " " + generation);
    var before = marks.get(address);
    marks.put(
        address,
        new Unreachable(
            address,
            generation,
            before == null ? now : before.since(),
            why,
            before == null ? 1 : before.failures() + 1,
            now + cooldown,
            before == null ? now + SECOND : before.nextProbe()));
  }

  @Override
  public void unanswered(String address, String why, long now) {
    told.add("unanswered " + address);
  }

  @Override
  public void answered(String address, long now) {
    marks.remove(address);
  }

  @Override
  public void stoodStill(long nanos, long now) {
    told.add("stood still " + nanos / 1_000_000);
    if (forgiving) {
      marks.clear();
    }
  }

  @Override
  public List<String> probes(int most, long now) {
    var due = new ArrayList<String>();
    for (var mark : List.copyOf(marks.values())) {
      if (mark.nextProbe() - now <= 0 && due.size() < most) {
        due.add(mark.address());
        marks.put(
            mark.address(),
            new Unreachable(
                mark.address(),
                mark.generation(),
                mark.since(),
                mark.why(),
                mark.failures(),
                mark.until(),
                now + SECOND));
      }
    }
    return due;
  }

  @Override
  public long nextProbe() {
    return marks.values().stream().mapToLong(Unreachable::nextProbe).min().orElse(Long.MAX_VALUE);
  }

  @Override
  public List<Unreachable> unreachable(long now) {
    return List.copyOf(marks.values());
  }
}
