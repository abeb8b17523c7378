package dev.shunt.transport.tcp.links;

import dev.shunt.api.spi.TransportContext;
import dev.shunt.transport.tcp.core.Interface;
import java.util.List;
import java.util.function.Consumer;

/** Where the transport learns of interfaces. */
public interface LinkSource {
  /**
   * Begins to watch. On the supervisor thread; does not block.
   *
   * @param news told on the supervisor thread: all interfaces as they are, soon after the begin and
   *     whenever they have changed
   */
  LinkWatch watch(TransportContext context, Consumer<List<Interface>> news);

  /**
   * This machine's.
   *
   * @param kernel whether the kernel's messages are listened to, where that is possible
   * @param pollInterval nanoseconds between two looks where it is not
   */
  static LinkSource system(boolean kernel, long pollInterval) {
    return (context, news) -> {
      var loop = new LinkLoop(context, news, new SystemLinks(kernel, pollInterval)::open);
      loop.begin();
      return loop;
    };
  }

  /** Nobody's: nothing is ever told. */
  static LinkSource none() {
    return (_, _) -> () -> {};
  }
}
