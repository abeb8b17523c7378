package dev.shunt.cli;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.Status;
import java.util.List;

/** A deadline that passed while the peer was not there says for its caller that it was not. */
final class Unreached {
  private Unreached() {}

  /**
   * The same failure, by the code of what it was for.
   *
   * @param peers as the node knows them now
   */
  static ShuntException told(ShuntException failure, String peer, List<Status.Peer> peers) {
    var silent =
        peers.stream().anyMatch(it -> it.name().equals(peer) && it.unreachable().isPresent());
    return silent && failure.code() == FailureCode.DEADLINE
        ? new ShuntException(FailureCode.UNREACHABLE, failure.getMessage(), failure)
        : failure;
  }
}
