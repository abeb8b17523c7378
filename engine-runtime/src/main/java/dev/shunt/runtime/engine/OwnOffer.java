package dev.shunt.runtime.engine;

import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Refusal;
import dev.shunt.runtime.config.CapabilityUse;
import dev.shunt.runtime.control.core.EchoPage;
import dev.shunt.runtime.control.core.OfferRules;
import dev.shunt.runtime.discovery.Discovered;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a node offers to others: its own capabilities and those of its plug-ins, as configured. */
final class OwnOffer {
  /** What the runtime itself offers. */
  private static final List<Capability> OWN =
      List.of(
          Capability.of(Fences.CAPABILITY, 1, 1),
          Capability.of(Refusal.CAPABILITY_ID, 1, 1),
          Capability.of(EchoPage.CAPABILITY, 1, 1));

  private OwnOffer() {}

  /** Of the plug-ins that are in use. */
  static OfferRules.Result of(Discovered discovered, Map<String, CapabilityUse> uses) {
    var all = new ArrayList<>(OWN);
    for (var provider : discovered.active()) {
      all.addAll(provider.capabilities());
    }
    var rules = new TreeMap<String, OfferRules.Rule>();
    uses.forEach(
        (id, use) ->
            rules.put(
                id, new OfferRules.Rule(OfferRules.Mode.valueOf(use.use().name()), use.highest())));
    return OfferRules.apply(all, rules);
  }
}
