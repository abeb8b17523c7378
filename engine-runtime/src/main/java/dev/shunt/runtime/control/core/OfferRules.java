package dev.shunt.runtime.control.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.spi.Capability;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** What configuration makes of the capabilities that an image has. */
public final class OfferRules {
  private OfferRules() {}

  /** Whether one is offered. */
  public enum Mode {
    /** It is not. */
    OFF,
    /** It is, and used where the peer has it too. */
    ON,
    /** It is, and a peer without it is refused. */
    REQUIRED
  }

  /**
   * What configuration says of one capability.
   *
   * @param highest the highest version to offer; {@link Integer#MAX_VALUE} for as high as there is
   */
  public record Rule(Mode mode, int highest) {}

  /**
   * What a node offers.
   *
   * @param required ids without which a peer is refused, sorted
   * @param dropped why some are not offered though nothing turned them off, in words
   */
  public record Result(Offer offer, List<String> required, List<String> dropped) {}

  /**
   * Applies rules; what none speaks of is {@link Mode#ON}, unless it wants to be asked for.
   *
   * @param capabilities all that the image has
   * @param rules by id
   * @throws ShuntException with code CONFIGURATION if a rule contradicts what there is
   */
  public static Result apply(List<Capability> capabilities, SortedMap<String, Rule> rules) {
    var offered = new TreeMap<String, Capability>();
    for (var capability : capabilities) {
      var unnamed = capability.unasked() ? Mode.ON : Mode.OFF;
      var rule = rules.getOrDefault(capability.id(), new Rule(unnamed, Integer.MAX_VALUE));
      if (rule.mode() != Mode.OFF) {
        offered.put(capability.id(), limited(capability, rule));
      }
    }
    var dropped = new ArrayList<String>();
    while (dropOne(offered, dropped)) {}
    var required = new TreeSet<String>();
    rules.forEach(
        (id, rule) -> {
          if (rule.mode() == Mode.REQUIRED) {
            if (!offered.containsKey(id)) {
              throw wrong(
                  "capabilities."
                      + id
                      + " is required, but this node cannot offer it: "
                      + why(id, dropped));
            }
            required.add(id);
          }
        });
    return new Result(
        new Offer(List.copyOf(offered.values())), List.copyOf(required), List.copyOf(dropped));
  }

  private static Capability limited(Capability capability, Rule rule) {
    if (rule.highest() < capability.lowest()) {
      throw wrong(
          "capabilities."
              + capability.id()
              + " is limited to version "
              + rule.highest()
              + ", but this node has versions "
              + capability.lowest()
              + " to "
              + capability.highest()
              + "; turn it off instead");
    }
    return new Capability(
        capability.id(),
        capability.lowest(),
        Math.min(capability.highest(), rule.highest()),
        capability.scope(),
        capability.requires(),
        capability.unasked());
  }

  private static boolean dropOne(TreeMap<String, Capability> offered, List<String> dropped) {
    for (var capability : offered.values()) {
      for (var needed : capability.requires()) {
        if (!offered.containsKey(needed)) {
          dropped.add(capability.id() + " is not offered: it needs " + needed);
          offered.remove(capability.id());
          return true;
        }
      }
    }
    return false;
  }

  private static String why(String id, List<String> dropped) {
    for (var text : dropped) {
      if (text.startsWith(id + " ")) {
        return text;
      }
    }
    return "no module of this image has it";
  }

  private static ShuntException wrong(String text) {
    return new ShuntException(FailureCode.CONFIGURATION, text);
  }
}
