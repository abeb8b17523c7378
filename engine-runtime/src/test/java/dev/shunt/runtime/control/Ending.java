package dev.shunt.runtime.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;

/** How a call ended, and when. */
final class Ending implements CallHandler {
  private final VirtualPlatform platform;
  byte[] reply;
  Fault fault;
  long at;
  int ends;

  Ending(VirtualPlatform platform) {
    this.platform = platform;
  }

  @Override
  public void reply(byte[] attachment) {
    reply = attachment;
    end();
  }

  @Override
  public void failed(Fault cause) {
    fault = cause;
    end();
  }

  private void end() {
    ends++;
    at = platform.now();
  }

  boolean over() {
    return ends > 0;
  }

  String text() {
    return reply == null ? fault.toString() : new String(reply, UTF_8);
  }

  FailureCode code() {
    return fault == null ? null : fault.code();
  }
}
