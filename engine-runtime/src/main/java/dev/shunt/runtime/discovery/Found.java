package dev.shunt.runtime.discovery;

import com.typesafe.config.Config;
import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Provider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * A provider that answered all that is asked of one. Its answers are kept, and it is not asked
 * again.
 *
 * @param kind what it is for
 * @param provider itself
 * @param id its id
 * @param version its version
 * @param capabilities what it offers
 * @param origin where it comes from
 * @param defaults its own section of its own {@code reference.conf}, at its full path; empty if it
 *     has none
 */
public record Found<P extends Provider>(
    Kind kind,
    P provider,
    String id,
    String version,
    List<Capability> capabilities,
    Origin origin,
    Config defaults) {
  /** Copies the list. */
  public Found {
    capabilities = List.copyOf(capabilities);
  }

  /** Where its configuration stands. */
  public String section() {
    return kind.section(id);
  }

  /**
   * Lets its code do something, for as long as it may: on a thread that is given up then, unless
   * the caller handed it over.
   *
   * @param late takes what comes too late
   */
  public <T> Foreign.Result<T> ask(Duration limit, Callable<T> question, Consumer<? super T> late) {
    return asked(question, late).within(limit);
  }

  /** The same, while others are asked. */
  public <T> Asked<T> asked(Callable<T> question, Consumer<? super T> late) {
    var what = provider.getClass().getName();
    return origin.isInCode() ? Asked.later(what, question) : Asked.begin(what, question, late);
  }

  Plugin plugin(Plugin.State state, String cause) {
    return new Plugin(java.util.Optional.of(kind), id, version, origin, state, cause);
  }
}
