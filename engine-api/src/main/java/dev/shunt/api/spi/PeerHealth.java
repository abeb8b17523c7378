package dev.shunt.api.spi;

import java.util.List;
import java.util.Optional;

/**
 * Which peers' control planes do not answer: a machine for the control thread, which asks it before
 * each call. Peers are told apart by the address that was called. What is learnt of a data path has
 * no place here, nor the other way round.
 */
public interface PeerHealth {
  /**
   * Whether a call may go to an address. Of those that come when a cooldown has ended one goes
   * through, and its outcome decides for the others.
   *
   * @return why not; empty if it may
   */
  Optional<Unreachable> admit(String address, long now);

  /**
   * A call was not answered: no connection, no reply in time. A refusal is an answer.
   *
   * @param generation of the peer as the caller knew it, or 0: one that answers with a newer
   *     generation has nothing to do with what is known of an older one
   * @param begun when the call was admitted, in nanoseconds: what was begun before a cooldown ended
   *     is old news, and a peer that was heard of since is not silent
   */
  void silent(String address, long generation, String why, long begun, long now);

  /**
   * A probe was not answered. It has another timeout than calls have, so that it shows where a mark
   * is justified still, and makes none longer.
   */
  void unanswered(String address, String why, long now);

  /** Something came from an address, whatever it says: the mark is gone. */
  void answered(String address, long now);

  /**
   * This process stood still itself, for so long until now: what seemed silent meanwhile may well
   * have answered, and is not blamed.
   */
  void stoodStill(long nanos, long now);

  /**
   * The addresses whose probe is due, those that are due longest first; each counts as probed from
   * here on.
   *
   * @param most how many at most
   */
  List<String> probes(int most, long now);

  /** When {@link #probes} has something, in nanoseconds; {@link Long#MAX_VALUE} for never. */
  long nextProbe();

  /** Those that are marked. */
  List<Unreachable> unreachable(long now);

  /**
   * A control plane that does not answer.
   *
   * @param address where it was called
   * @param generation of the peer that was meant, or 0
   * @param since when it was first silent, in nanoseconds
   * @param why what was seen
   * @param failures how many times in a row
   * @param until the end of its cooldown, in nanoseconds
   * @param nextProbe when it is asked again, in nanoseconds
   */
  record Unreachable(
      String address,
      long generation,
      long since,
      String why,
      int failures,
      long until,
      long nextProbe) {}
}
