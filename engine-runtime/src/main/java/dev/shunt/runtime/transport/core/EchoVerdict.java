package dev.shunt.runtime.transport.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the echoes of one check say of a rail. One good one is enough, by whomever, unless that node
 * is not reached by its rail in the same place: a kernel may send by another link what is for
 * another of the remote's networks. A rail that its node tells to be out of use says nothing
 * against ours.
 */
public final class EchoVerdict {
  /** So many nodes are read once more when they turn out to be there. */
  private static final int READ_AGAIN = 8;

  /** So many problems are told; the others are counted. */
  private static final int TOLD = 3;

  private final List<String> problems = new ArrayList<>();

  /** By node, what its silence was, until it is known whether it is there. */
  private final Map<Integer, String> silent = new HashMap<>();

  /** By node that is there and is read once more, how that is known. */
  private final Map<Integer, String> again = new HashMap<>();

  private final Set<Integer> judged = new HashSet<>();

  /** Nodes whose rail in the same place did not answer, though they tell of no loss of it. */
  private final Set<Integer> lost = new HashSet<>();

  /** All was read right; whether that settles it. */
  public boolean verified(EchoTry path) {
    if (path.paired()) {
      lost.remove(path.partner());
      return true;
    }
    if (!lost.contains(path.partner())) {
      return true;
    }
    var text = silent.get(path.partner());
    if (text != null && judged.add(path.partner())) {
      problems.add("no echo from " + text + ", although another of its rails answers");
    }
    return false;
  }

  /**
   * Nothing came back.
   *
   * @return whether its node is to be asked in another way if it is there
   */
  public boolean silent(EchoTry path, String text) {
    if (path.mute()) {
      return false;
    }
    if (path.paired()) {
      lost.add(path.partner());
    }
    var how = again.remove(path.partner());
    if (how != null) {
      judge(path.partner(), how);
      return false;
    }
    return silent.putIfAbsent(path.partner(), text) == null;
  }

  /** The path does not work. */
  public void failed(EchoTry path, String text) {
    if (path.mute()) {
      return;
    }
    if (path.paired()) {
      lost.add(path.partner());
    }
    again.remove(path.partner());
    problems.add("no echo from " + text);
  }

  /** Other bytes came than were sent, and that is never the other side's rest. */
  public void corrupt(String text) {
    problems.add("no echo from " + text);
  }

  /**
   * A silent node answers in another way.
   *
   * @return whether it is to be read over that path once more
   */
  public boolean there(EchoTry path, String how) {
    int partner = path.partner();
    if (judged.contains(partner) || again.containsKey(partner)) {
      return false;
    }
    if (again.size() + judged.size() < READ_AGAIN) {
      again.put(partner, how);
      return true;
    }
    judge(partner, how);
    return false;
  }

  private void judge(int partner, String how) {
    if (judged.add(partner)) {
      problems.add("no echo from " + silent.get(partner) + ", although " + how);
    }
  }

  /** What is wrong with the rail when nothing is left to be tried; empty if nothing is known. */
  public String problem() {
    List.copyOf(again.keySet()).stream().sorted().forEach(each -> judge(each, again.remove(each)));
    if (problems.size() <= TOLD) {
      return String.join("; ", problems);
    }
    var first = String.join("; ", problems.subList(0, TOLD));
    return first + "; and " + (problems.size() - TOLD) + " more";
  }
}
