package dev.shunt.transport.rdma.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Slice;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class SlotTableTest {
  private record Nothing(int number) implements Slice {
    @Override
    public boolean write() {
      return true;
    }

    @Override
    public MemorySegment memory() {
      return MemorySegment.NULL;
    }

    @Override
    public long offset() {
      return 0;
    }

    @Override
    public long length() {
      return 1;
    }

    @Override
    public RegionKey localKey() {
      return () -> 0;
    }

    @Override
    public long remoteAddress() {
      return 0;
    }

    @Override
    public long remoteKey() {
      return 0;
    }

    @Override
    public long deadline() {
      return 0;
    }
  }

  @Test
  void eachSliceSitsInASlotOfItsOwn() {
    var table = new SlotTable(8);
    var slots = new HashSet<Integer>();
    for (int i = 0; i < 8; i++) {
      var slice = new Nothing(i);
      int slot = table.take(slice, i % 2);
      slots.add(slot);
      assertSame(slice, table.slice(slot));
      assertEquals(i % 2, table.qp(slot));
    }
    assertEquals(8, slots.size());
    assertEquals(0, table.room());
    assertEquals(8, table.taken());
  }

  @Test
  void aSlotIsFreedOnce() {
    var table = new SlotTable(2);
    int slot = table.take(new Nothing(1), 0);
    table.release(slot);
    assertEquals(2, table.room());
    assertThrows(IllegalStateException.class, () -> table.release(slot));
  }

  @Test
  void aSlotThatIsNotThereHoldsNothing() {
    var table = new SlotTable(2);
    assertNull(table.slice(-1));
    assertNull(table.slice(2));
    assertNull(table.slice(0));
  }
}
