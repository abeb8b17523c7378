package dev.shunt.runtime.engine;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Lookup;
import dev.shunt.api.spi.MetadataContext;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.control.CallHandler;
import dev.shunt.runtime.control.ControlService;
import dev.shunt.runtime.control.core.Functions;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** What a metadata backend is lent. */
record NodeMetadataContext(Platform platform, ControlService control, Config config)
    implements MetadataContext {
  private static final byte[] NOTHING = {};

  @Override
  public long now() {
    return platform.now();
  }

  @Override
  public void ask(String address, long deadline, Consumer<Lookup> answer) {
    control.call(
        address,
        Functions.GET_SEGMENT_DESC,
        NOTHING,
        deadline,
        new CallHandler() {
          @Override
          public void reply(byte[] attachment) {
            answer.accept(
                attachment.length == 0
                    ? new Lookup.Unknown("the node at " + address + " has no segment")
                    : new Lookup.Found(new String(attachment, StandardCharsets.UTF_8)));
          }

          @Override
          public void failed(Fault fault) {
            answer.accept(new Lookup.Failed(fault));
          }
        });
  }
}
