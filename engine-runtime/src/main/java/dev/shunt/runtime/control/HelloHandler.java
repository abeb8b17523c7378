package dev.shunt.runtime.control;

import dev.shunt.api.FailureCode;
import dev.shunt.runtime.control.core.Hello;
import dev.shunt.runtime.control.core.HelloCodec;
import dev.shunt.runtime.control.core.HelloReply;
import dev.shunt.runtime.json.MalformedException;
import java.net.InetSocketAddress;
import java.util.function.Function;

/**
 * Serves Hello.
 *
 * @param desk answers; called on the control thread
 */
public record HelloHandler(Function<Hello, HelloReply> desk) implements ControlHandler {
  @Override
  public void handle(byte[] request, InetSocketAddress peer, ControlReply reply) {
    Hello hello;
    try {
      hello = HelloCodec.readHello(request);
    } catch (MalformedException malformed) {
      reply.fail(FailureCode.PROTOCOL, malformed.getMessage());
      return;
    }
    reply.send(HelloCodec.write(desk.apply(hello)));
  }
}
