package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Refusal;
import dev.shunt.transport.rdma.core.NicPath;
import dev.shunt.transport.rdma.wire.BootstrapDesc;
import dev.shunt.transport.rdma.wire.BootstrapException;
import dev.shunt.transport.rdma.wire.BootstrapExtension;
import java.util.Optional;

/** What is wrong with a handshake, and whose fault it is. */
final class HandshakeFault {
  private HandshakeFault() {}

  static Fault local(FailureCode code, String text) {
    return new Fault(Blame.LOCAL, code, Effect.NONE, text);
  }

  static Fault remote(FailureCode code, String text) {
    return new Fault(Blame.REMOTE, code, Effect.NONE, text);
  }

  /** A peer that does not answer says nothing of the path that was asked for. */
  static Fault silent(String text) {
    return new Fault(Blame.NEUTRAL, FailureCode.UNREACHABLE, Effect.NONE, text);
  }

  /** A number of the peer's own means that it did answer, and refused. */
  static Fault unanswered(Fault fault, String text) {
    return silence(fault) ? silent(text) : same(fault, text);
  }

  /** A peer that did answer before, and then not, leaves a path that cannot be used. */
  static Fault unconfirmed(Fault fault, String text) {
    return silence(fault) ? remote(FailureCode.HANDSHAKE, text) : same(fault, text);
  }

  private static boolean silence(Fault fault) {
    return fault.vendorCode() == 0
        && (fault.blame() == Blame.REMOTE || fault.blame() == Blame.NEUTRAL);
  }

  private static Fault same(Fault fault, String text) {
    return new Fault(fault.blame(), fault.code(), Effect.NONE, text, fault.vendorCode());
  }

  /**
   * What an answer says against the connection that was asked for; empty if it fits.
   *
   * @throws BootstrapException if it makes no sense
   */
  static Optional<Fault> of(BootstrapDesc desc, RdmaLink link, Endpoint endpoint, int round)
      throws BootstrapException {
    return of(desc, link, endpoint.qps().size(), round);
  }

  /**
   * The same, of a connection with so many data QPs.
   *
   * @throws BootstrapException if it makes no sense
   */
  static Optional<Fault> of(BootstrapDesc desc, RdmaLink link, int wanted, int round)
      throws BootstrapException {
    if (desc.refused()) {
      return Optional.of(refused(desc, link));
    }
    if (!link.plain() && !repeats(desc, link, round)) {
      var text = link + ": the answer is for another attempt or generation";
      return Optional.of(remote(FailureCode.STALE_GENERATION, text));
    }
    check(nic(desc.localNicPath()), link.remoteRail().name(), "local_nic_path");
    check(nic(desc.peerNicPath()), link.local().name(), "peer_nic_path");
    if (desc.qpNumbers().size() != wanted) {
      throw new BootstrapException(
          "qp_num has "
              + desc.qpNumbers().size()
              + " entries; it must have "
              + wanted
              + ", as many as it was asked with");
    }
    return Optional.empty();
  }

  private static Fault refused(BootstrapDesc desc, RdmaLink link) {
    var named = desc.extension().map(BootstrapExtension::code).flatMap(Refusal::named);
    return remote(
        named.map(Refusal::failure).orElseGet(() -> code(desc)),
        link
            + ": the peer refused: "
            + named.map(refusal -> refusal + ": ").orElse("")
            + desc.replyMessage());
  }

  private static FailureCode code(BootstrapDesc desc) {
    var code = desc.extension().map(BootstrapExtension::code).orElse("");
    for (var known : FailureCode.values()) {
      if (known.name().equals(code)) {
        return known;
      }
    }
    return FailureCode.CONNECTION;
  }

  private static boolean repeats(BootstrapDesc desc, RdmaLink link, int round) {
    return desc.extension()
        .filter(
            theirs ->
                theirs.generation() == link.id().generation()
                    && theirs.attempt() == link.id().attempt()
                    && theirs.round() == round
                    && theirs.peerGeneration() == link.remote().generation())
        .isPresent();
  }

  /**
   * Whether a plain peer says that it had another connection on the path, and has let go of it: it
   * takes a new one then. One kind of them says so by an empty GID.
   */
  static boolean stale(BootstrapDesc desc) {
    var text = desc.replyMessage();
    return text.contains("retired")
        || text.contains("not in handshaking state")
        || text.contains("Missing peer GID")
        || text.isEmpty() && desc.localGid().isEmpty();
  }

  private static String nic(String path) {
    return NicPath.parse(path).map(NicPath::nic).orElse(path);
  }

  private static void check(String found, String wanted, String key) throws BootstrapException {
    if (!found.equals(wanted)) {
      throw new BootstrapException(key + " names the NIC " + found + "; it must name " + wanted);
    }
  }
}
