package dev.shunt.runtime.control;

import dev.shunt.api.FailureCode;
import dev.shunt.runtime.control.core.FenceCodec;
import dev.shunt.runtime.control.core.FenceReply;
import dev.shunt.runtime.control.core.FenceRequest;
import dev.shunt.runtime.json.MalformedException;
import java.net.InetSocketAddress;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Serves Fence.
 *
 * @param generation this node's: a request to another one is answered STALE_GENERATION
 * @param fence does it: called on the control thread; tells the end once, on any thread
 */
public record FenceHandler(long generation, BiConsumer<FenceRequest, Consumer<FenceReply>> fence)
    implements ControlHandler {
  @Override
  public void handle(byte[] request, InetSocketAddress peer, ControlReply reply) {
    FenceRequest asked;
    try {
      asked = FenceCodec.readRequest(request);
    } catch (MalformedException malformed) {
      reply.fail(FailureCode.PROTOCOL, malformed.getMessage());
      return;
    }
    if (asked.expected() != generation) {
      reply.send(FenceCodec.write(new FenceReply.StaleGeneration(generation)));
    } else {
      fence.accept(asked, end -> reply.send(FenceCodec.write(asked.codes() ? end : bare(end))));
    }
  }

  /** To whom did not agree on codes the answer is what it was without them. */
  private static FenceReply bare(FenceReply end) {
    return end instanceof FenceReply.Refused(var reason, var _)
        ? new FenceReply.Refused(reason)
        : end;
  }
}
