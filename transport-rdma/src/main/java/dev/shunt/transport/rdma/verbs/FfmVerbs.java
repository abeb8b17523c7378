package dev.shunt.transport.rdma.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Verbs over libibverbs. */
@SuppressWarnings("restricted")
final class FfmVerbs implements Verbs {
  /** What a library without any kernel support, or without a device, may answer. */
  private static final int ENOSYS = 38;

  private static final int NAME_LIMIT = 64;

  private final FfmLibrary library;

  FfmVerbs(FfmLibrary library) {
    this.library = library;
  }

  @Override
  public List<String> devices() {
    var names = new ArrayList<String>();
    withDevices(
        devices -> {
          for (var device : devices) {
            names.add(name(device));
          }
        });
    return List.copyOf(names);
  }

  @Override
  public VerbsDevice open(String name, Runnable ready) {
    var opened = new ArrayList<VerbsDevice>(1);
    withDevices(
        devices -> {
          for (var device : devices) {
            if (opened.isEmpty() && name(device).equals(name)) {
              var context = FfmCall.pointer(library, "ibv_open_device", name, device);
              opened.add(FfmDevice.of(library, name, context));
            }
          }
        });
    if (opened.isEmpty()) {
      throw new VerbsException("opening " + name, VerbsException.ENODEV);
    }
    return opened.getFirst();
  }

  private interface DeviceTask {
    void accept(List<MemorySegment> devices);
  }

  /** Pointers to devices live as long as the list that they stand in. */
  private void withDevices(DeviceTask task) {
    try (var arena = Arena.ofConfined()) {
      var count = arena.allocate(JAVA_INT);
      var state = library.errno.allocate(arena);
      var list =
          (MemorySegment)
              library.pointerOfPointer.invokeExact(
                  library.function("ibv_get_device_list"), state, count);
      if (list.address() == 0) {
        int error = library.errno.of(state);
        if (error != ENOSYS && error != 0) {
          throw new VerbsException("ibv_get_device_list", error);
        }
        task.accept(List.of());
        return;
      }
      try {
        int number = count.get(JAVA_INT, 0);
        var sized = list.reinterpret(number * ADDRESS.byteSize());
        var devices = new ArrayList<MemorySegment>();
        for (int i = 0; i < number; i++) {
          devices.add(sized.getAtIndex(ADDRESS, i));
        }
        task.accept(devices);
      } finally {
        FfmCall.call(library, "ibv_free_device_list", list);
      }
    } catch (Throwable t) {
      throw FfmCall.thrown(t);
    }
  }

  private String name(MemorySegment device) {
    return FfmCall.pointer(library, "ibv_get_device_name", "a device", device)
        .reinterpret(NAME_LIMIT)
        .getString(0);
  }
}
