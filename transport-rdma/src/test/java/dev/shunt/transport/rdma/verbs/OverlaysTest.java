package dev.shunt.transport.rdma.verbs;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class OverlaysTest {
  @Test
  void containerNetworksAreToldByTheirNames() {
    for (var name : List.of("flannel.1", "cni0", "cali1234", "vxlan.calico", "docker0", "tunl0")) {
      assertTrue(Overlays.isOne(name), name);
    }
    for (var name : List.of("eth0", "ens1f0np0", "bond0", "ib0", "rail0")) {
      assertFalse(Overlays.isOne(name), name);
    }
  }

  @Test
  void whatIsNotThereIsNone() {
    assertFalse(Overlays.isOne(0));
    assertFalse(Overlays.isOne(Integer.MAX_VALUE));
  }
}
