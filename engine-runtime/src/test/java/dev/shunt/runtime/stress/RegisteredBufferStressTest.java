package dev.shunt.runtime.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.spi.Lease;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Regions.Refusal;
import dev.shunt.runtime.memory.BufferTable;
import dev.shunt.runtime.memory.RegisteredBuffer;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RegisteredBufferStressTest {
  private static final int BUFFERS = 20;

  private final Map<Long, Integer> ended = new ConcurrentHashMap<>();
  private final BufferTable table = new BufferTable(new Keys(), 1);

  private final class Keys implements BufferTable.Keys {
    @Override
    public CompletableFuture<RegionKey[][]> register(RegisteredBuffer buffer) {
      return CompletableFuture.completedFuture(new RegionKey[][] {{buffer::id}});
    }

    @Override
    public CompletableFuture<Void> unregister(RegionKey[][] keys) {
      ended.merge(keys[0][0].remoteKey(), 1, Integer::sum);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void removed() {}

    @Override
    public void changed() {}
  }

  @Test
  void aBufferIsUnregisteredOnceAndNeverWhileItIsHeld() throws InterruptedException {
    try (var racers = new Racers("RegisteredBufferStressTest", 4);
        var arena = Arena.ofShared()) {
      var memory = arena.allocate(BUFFERS * 64, 64);
      while (racers.another(3000)) {
        ended.clear();
        var buffers = new ArrayList<RegisteredBuffer>();
        for (int i = 0; i < BUFFERS; i++) {
          buffers.add(table.register(memory.asSlice(i * 64, 64), Access.REMOTE_READ_WRITE).join());
        }
        round(racers, buffers);
      }
    }
  }

  private void round(Racers racers, List<RegisteredBuffer> buffers) throws InterruptedException {
    var endedWhileHeld = new AtomicBoolean();
    var all = new ArrayList<Runnable>();
    for (int i = 0; i < 2; i++) {
      var chance = racers.chance();
      all.add(
          () -> {
            var lease = new Lease();
            for (var buffer : buffers) {
              for (int n = 0; n < 3; n++) {
                if (table.acquire(buffer.address(), 64, buffer.id(), true, lease) == Refusal.NONE) {
                  Racers.dawdle(chance, 20);
                  if (ended.containsKey(buffer.id())) {
                    endedWhileHeld.set(true);
                  }
                  lease.release();
                }
              }
            }
          });
    }
    for (int i = 0; i < 2; i++) {
      var chance = racers.chance();
      all.add(
          () -> {
            Racers.dawdle(chance, 100);
            buffers.forEach(RegisteredBuffer::close);
          });
    }
    racers.run(all);
    assertFalse(endedWhileHeld.get(), "it was unregistered while it was held");
    for (var buffer : buffers) {
      assertTrue(buffer.close().isDone(), "nothing holds it, and it is not unregistered");
      assertEquals(1, ended.get(buffer.id()), "how often its registrations ended");
      assertEquals(0, buffer.holders());
    }
  }
}
