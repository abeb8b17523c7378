package dev.shunt.runtime.engine;

import dev.shunt.api.spi.RegionKey;
import dev.shunt.runtime.memory.BufferTable;
import dev.shunt.runtime.memory.RegisteredBuffer;
import dev.shunt.runtime.transport.TransportHost;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Takes buffers to the transports: to one after the other, each on its supervisor. */
final class Registrar implements BufferTable.Keys {
  private final List<TransportHost> transports;
  private final Runnable changed;
  private final Runnable removed;

  Registrar(List<TransportHost> transports, Runnable changed, Runnable removed) {
    this.transports = transports;
    this.changed = changed;
    this.removed = removed;
  }

  @Override
  public CompletableFuture<RegionKey[][]> register(RegisteredBuffer buffer) {
    var keys = new RegionKey[transports.size()][];
    var step = CompletableFuture.<Void>completedFuture(null);
    for (int i = 0; i < keys.length; i++) {
      var index = i;
      keys[i] = new RegionKey[0];
      step = step.thenCompose(_ -> transports.get(index).register(buffer, keys, index));
    }
    return step.handle(
            (_, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedFuture(keys);
              }
              var cause = failure.getCause() == null ? failure : failure.getCause();
              return unregister(keys)
                  .<RegionKey[][]>handle(
                      (_, _) -> {
                        throw new java.util.concurrent.CompletionException(cause);
                      });
            })
        .thenCompose(future -> future);
  }

  @Override
  public CompletableFuture<Void> unregister(RegionKey[][] keys) {
    var step = CompletableFuture.<Void>completedFuture(null);
    for (int i = 0; i < keys.length; i++) {
      var index = i;
      step = step.thenCompose(_ -> transports.get(index).unregister(keys[index]));
    }
    return step;
  }

  @Override
  public void changed() {
    changed.run();
  }

  @Override
  public void removed() {
    removed.run();
  }
}
