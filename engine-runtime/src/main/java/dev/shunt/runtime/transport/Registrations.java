package dev.shunt.runtime.transport;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Registration;
import dev.shunt.api.spi.Transport;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What of memory is known to a transport: registered and forgotten on its slow thread. */
final class Registrations {
  private final Transport transport;
  private final SupervisorAgent supervisor;

  Registrations(Transport transport, SupervisorAgent supervisor) {
    this.transport = transport;
    this.supervisor = supervisor;
  }

  /** Registers memory on rails: on all, and sets the keys at the index, or on none. */
  CompletableFuture<Void> register(
      List<? extends Rail> rails, Region region, RegionKey[][] keys, int at) {
    var done = new CompletableFuture<Void>();
    var taken =
        onSupervisor(
            () ->
                transport.register(
                    rails,
                    region,
                    registration -> {
                      switch (registration) {
                        case Registration.Made(var made) -> {
                          keys[at] = made.toArray(RegionKey[]::new);
                          done.complete(null);
                        }
                        case Registration.Refused(var why) -> done.completeExceptionally(why);
                      }
                    }));
    taken.whenComplete(
        (_, thrown) -> {
          if (thrown != null) {
            done.completeExceptionally(thrown);
          }
        });
    return done;
  }

  /** Ends registrations. */
  CompletableFuture<Void> unregister(RegionKey[] keys) {
    if (keys.length == 0) {
      return CompletableFuture.completedFuture(null);
    }
    return onSupervisor(
        () -> {
          for (var key : keys) {
            transport.unregister(key);
          }
        });
  }

  private CompletableFuture<Void> onSupervisor(Runnable task) {
    var done = new CompletableFuture<Void>();
    var taken =
        supervisor.execute(
            () -> {
              try {
                task.run();
                done.complete(null);
              } catch (RuntimeException thrown) {
                done.completeExceptionally(thrown);
              }
            });
    if (!taken) {
      done.completeExceptionally(
          new ShuntException(FailureCode.CLOSED, "the engine is closed, or closing"));
    }
    return done;
  }
}
