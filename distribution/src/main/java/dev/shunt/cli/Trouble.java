package dev.shunt.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds in a status what is not as it should be. */
final class Trouble {
  /** Counters that only faults move, in the words that they are told with. */
  private static final Map<String, String> FAULTS = faults();

  private static final int MOST_NAMES = 3;

  private Trouble() {}

  private static Map<String, String> faults() {
    var words = new LinkedHashMap<String, String>();
    words.put("attempts-failed", "attempt failed|attempts failed");
    words.put("handed-off", "handed to another rail here|handed to other rails here");
    words.put("redispatched", "sent to another rail there|sent to other rails there");
    words.put(
        "requests-moved", "request moved to another transport|requests moved to another transport");
    words.put("unfenced", "write done by patience|writes done by patience");
    words.put("stood-still", "standstill of this process|standstills of this process");
    return words;
  }

  /** What is wrong now, such as {@code 1 of 2 rails not in use}; empty if nothing is. */
  static List<String> now(Tree status) {
    var found = new ArrayList<String>();
    rails(status, found);
    var peers = status.objects("peers");
    var silent = peers.stream().filter(Trouble::silent).count();
    if (silent > 0) {
      found.add(silent + " of " + Units.count(peers.size(), "peer") + " unreachable");
    }
    var paused = peers.stream().mapToLong(Trouble::paused).sum();
    if (paused > 0) {
      found.add(Units.count(paused, "path") + " paused");
    }
    var quarantined = status.object("memory").number("quarantined_bytes");
    if (quarantined > 0) {
      found.add(Units.bytes(quarantined) + " in quarantine");
    }
    return found;
  }

  /** A few by their names, since that is what an operator goes for; many as a number. */
  private static void rails(Tree status, List<String> found) {
    var idle = new ArrayList<String>();
    int all = 0;
    for (var transport : status.objects("transports")) {
      for (var rail : transport.objects("rails")) {
        all++;
        if (!rail.text("state").equals("ACTIVE")) {
          idle.add(transport.text("id") + "/" + rail.text("name"));
        }
      }
    }
    if (!idle.isEmpty() && idle.size() <= MOST_NAMES) {
      found.add((idle.size() == 1 ? "rail " : "rails ") + String.join(" ", idle) + " not in use");
    } else if (!idle.isEmpty()) {
      found.add(idle.size() + " of " + Units.count(all, "rail") + " not in use");
    }
  }

  /** What faults led to since the node started. */
  static List<String> soFar(Tree counters) {
    var told = new ArrayList<String>();
    FAULTS.forEach(
        (key, words) -> {
          var count = counters.number(key);
          if (count > 0) {
            var forms = words.split("\\|");
            told.add(
                String.format(java.util.Locale.ROOT, "%,d ", count) + forms[count == 1 ? 0 : 1]);
          }
        });
    return told;
  }

  /** Whether a peer is to be shown before those that are well. */
  static boolean of(Tree peer) {
    return silent(peer) || paused(peer) > 0;
  }

  private static boolean silent(Tree peer) {
    return !peer.object("unreachable").keys().isEmpty();
  }

  private static long paused(Tree peer) {
    return peer.objects("paths").stream()
        .filter(path -> path.text("state").equals("PAUSED"))
        .count();
  }
}
