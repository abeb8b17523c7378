package dev.shunt.runtime.transport;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Insight;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Transport;
import dev.shunt.runtime.discovery.Foreign;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Looks at a transport for people: on its slow thread, and whatever it throws. Nothing comes of it.
 */
public final class Looks {
  private final String id;
  private final Transport transport;
  private final SupervisorAgent supervisor;
  private final List<? extends Rail> rails;
  private final long patience;

  Looks(
      String id,
      Transport transport,
      SupervisorAgent supervisor,
      List<? extends Rail> rails,
      long patience) {
    this.id = id;
    this.transport = transport;
    this.supervisor = supervisor;
    this.rails = rails;
    this.patience = patience;
  }

  /** What it shows of its inside. Any thread; ends when the slow thread has time. */
  public CompletableFuture<List<Insight>> insights() {
    var told = new CompletableFuture<List<Insight>>();
    var taken =
        supervisor.execute(
            () -> {
              var list = Foreign.call(transport::insights).value();
              told.complete(list == null ? List.of() : list);
            });
    return taken ? told : CompletableFuture.completedFuture(List.of());
  }

  /**
   * Looks whether a rail works.
   *
   * @param now the time
   * @param answer what is wrong with it, or an empty text; on the slow thread, once
   * @return whether it was begun
   */
  public boolean check(int rail, long now, Consumer<String> answer) {
    return supervisor.execute(
        () -> {
          var result =
              Foreign.call(
                  () -> {
                    transport.check(
                        rails.get(rail),
                        false,
                        now + patience,
                        found -> answer.accept(found.map(Fault::text).orElse("")));
                    return id;
                  });
          if (result.thrown() != null) {
            answer.accept(id + " threw " + Foreign.text(result.thrown()));
          }
        });
  }
}
