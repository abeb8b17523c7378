package dev.shunt.transport.nof;

import dev.shunt.api.spi.RemoteRail;
import dev.shunt.transport.nof.core.TargetId;
import java.util.Map;
import java.util.TreeMap;

/** A target's rail: the portal by which it is reached. */
final class NofPortal {
  private NofPortal() {}

  static RemoteRail of(TargetId target) {
    Map<String, String> attributes = new TreeMap<>();
    attributes.put("traddr", target.address());
    attributes.put("trsvcid", Integer.toString(target.port()));
    return new RemoteRail(target.portal(), 0, attributes);
  }
}
