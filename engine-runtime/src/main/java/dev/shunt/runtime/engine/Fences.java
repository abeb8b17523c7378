package dev.shunt.runtime.engine;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.Remote;
import dev.shunt.runtime.control.CallHandler;
import dev.shunt.runtime.control.ControlService;
import dev.shunt.runtime.control.core.FenceCodec;
import dev.shunt.runtime.control.core.FenceReply;
import dev.shunt.runtime.control.core.FenceRequest;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.json.MalformedException;
import dev.shunt.runtime.peer.Peers;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks peers to refuse our old links. */
final class Fences {
  private static final Logger LOG = LoggerFactory.getLogger(Fences.class);

  /** Without it nobody is asked, and nothing is promised. */
  static final String CAPABILITY = "control.fence";

  private final ControlService control;
  private final Peers peers;

  Fences(ControlService control, Peers peers) {
    this.control = control;
    this.peers = peers;
  }

  /** Whether a remote is a node that agreed to it. */
  static boolean canAsk(Remote remote) {
    return remote instanceof Remote.Node node && node.verdict().version(CAPABILITY) > 0;
  }

  /** Asks a node; a storage target, or a node that did not agree to it, can't be asked. */
  void ask(String transport, Remote remote, LinkId link, long deadline, Consumer<Boolean> answer) {
    if (!canAsk(remote) || !(remote instanceof Remote.Node node)) {
      answer.accept(false);
      return;
    }
    control.call(
        peers.addresses(node),
        Functions.FENCE,
        FenceCodec.write(
            new FenceRequest(
                transport,
                link,
                node.generation(),
                node.verdict().version(Refusal.CAPABILITY_ID) > 0)),
        deadline,
        new CallHandler() {
          @Override
          public void reply(byte[] attachment) {
            answer.accept(read(node, attachment));
          }

          @Override
          public void failed(Fault fault) {
            LOG.debug("{} did not fence {}: {}", node.name(), link, fault.text());
            answer.accept(false);
          }
        });
  }

  private boolean read(Remote.Node node, byte[] attachment) {
    try {
      return switch (FenceCodec.readReply(attachment)) {
        case FenceReply.Fenced() -> true;
        case FenceReply.Refused(var reason, var code) -> {
          LOG.debug(
              "{} refuses a fence: {}{}",
              node.name(),
              code.map(known -> known + ": ").orElse(""),
              reason);
          yield false;
        }
        case FenceReply.StaleGeneration(var actual) -> {
          // The process that had the link is gone, and with it the memory that it could change.
          peers.stale(node, "it answers as generation " + Long.toUnsignedString(actual));
          yield true;
        }
      };
    } catch (MalformedException e) {
      LOG.warn("the answer of {} to Fence is no good: {}", node.name(), e.getMessage());
      return false;
    }
  }
}
