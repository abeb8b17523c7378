package dev.shunt.transport.rdma;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.TransportException;
import dev.shunt.transport.rdma.core.RailLife;
import dev.shunt.transport.rdma.core.VendorTable;
import dev.shunt.transport.rdma.verbs.PortInfo;
import dev.shunt.transport.rdma.verbs.Verbs;
import dev.shunt.transport.rdma.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the active ports of the devices that the configuration asks for. */
final class RailFinder {
  private static final Logger LOG = LoggerFactory.getLogger(RailFinder.class);

  private static final String NO_DEVICE =
      "this machine has no RDMA device that verbs know of; where it should have one, its driver"
          + " and the module ib_uverbs have to be loaded (rdma link shows devices), and a"
          + " container needs /dev/infiniband";

  private static final Path DEVICE_FILES = Path.of("/dev/infiniband");

  private final Verbs verbs;
  private final RdmaSettings settings;
  private final DeviceEvents events;
  private final List<RdmaDevice> devices = new ArrayList<>();
  private final List<RdmaRail> rails = new ArrayList<>();
  private final Map<String, RdmaDevice> byName = new HashMap<>();
  private final Map<String, String> leftOut = new LinkedHashMap<>();

  /** Where a device says that it has an event; any thread. */
  interface DeviceEvents {
    void ready(String device);
  }

  RailFinder(Verbs verbs, RdmaSettings settings, DeviceEvents events) {
    this.verbs = verbs;
    this.settings = settings;
    this.events = events;
  }

  /** What keeps there from being any rail, as far as that shows without opening a device. */
  static Optional<String> missing(Verbs verbs) {
    try {
      return verbs.devices().isEmpty() ? Optional.of(NO_DEVICE) : Optional.empty();
    } catch (VerbsException e) {
      return Optional.of(e.getMessage());
    }
  }

  List<RdmaDevice> devices() {
    return devices;
  }

  List<RdmaRail> rails() {
    return rails;
  }

  Map<String, RdmaDevice> byName() {
    return byName;
  }

  /** What is not used, and why. */
  Map<String, String> leftOut() {
    return leftOut;
  }

  /**
   * Opens what there is.
   *
   * @throws TransportException if there is no rail, or not each that was asked for in strict mode
   */
  void find() {
    List<String> present;
    try {
      present = verbs.devices();
    } catch (VerbsException e) {
      throw new TransportException(FailureCode.DEVICE, e.getMessage(), e);
    }
    for (var wanted : settings.devices()) {
      if (!present.contains(wanted)) {
        leaveOut(
            wanted,
            "there is no device "
                + wanted
                + (present.isEmpty() ? "" : "; there are " + String.join(", ", present)));
      }
    }
    for (var name : present) {
      if (settings.devices().isEmpty() || settings.devices().contains(name)) {
        open(name);
      }
    }
    if (present.isEmpty()) {
      throw new TransportException(FailureCode.UNSUPPORTED, NO_DEVICE);
    }
    if (rails.isEmpty()) {
      throw new TransportException(
          FailureCode.NO_RAIL,
          "no active port of an RDMA device can be used: "
              + (leftOut.isEmpty()
                  ? String.join(", ", present) + " have no port"
                  : String.join("; ", leftOut.values())));
    }
  }

  private void open(String name) {
    RdmaDevice device;
    try {
      device = new RdmaDevice(verbs.open(name, () -> events.ready(name)));
    } catch (VerbsException e) {
      leaveOut(name, e.getMessage() + remedy(e));
      return;
    }
    devices.add(device);
    byName.put(name, device);
    for (int port = 1; port <= device.info().ports(); port++) {
      try {
        addPort(device, port, device.verbs().port(port));
      } catch (VerbsException e) {
        leaveOut(railName(device, port), e.getMessage());
      }
    }
  }

  private static String railName(RdmaDevice device, int port) {
    return device.verbs().name() + (port == 1 ? "" : ":" + port);
  }

  private static String remedy(VerbsException e) {
    // The library says of a file that it must not open that there is none.
    int error =
        e.error() == VerbsException.ENOENT && forbidden() ? VerbsException.EACCES : e.error();
    return switch (error) {
      case VerbsException.EACCES, VerbsException.EPERM ->
          "; this user must be allowed to read and write /dev/infiniband/uverbs*: most systems have a"
              + " group for that, such as rdma, and udev rules that give it the files";
      case VerbsException.ENOENT, VerbsException.ENODEV ->
          "; its file in /dev/infiniband is not there: a container must be given it, and elsewhere the"
              + " module ib_uverbs makes it";
      case VerbsException.ENOMEM -> LockedMemory.hint(e, 0);
      default -> "";
    };
  }

  /** Whether there are files of devices that this process must not read and write. */
  private static boolean forbidden() {
    try (var files = Files.newDirectoryStream(DEVICE_FILES, "uverbs*")) {
      for (var file : files) {
        if (!Files.isReadable(file) || !Files.isWritable(file)) {
          return true;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.debug("{} cannot be listed: {}", DEVICE_FILES, e.toString());
    }
    return false;
  }

  private void addPort(RdmaDevice device, int port, PortInfo info) {
    var name = railName(device, port);
    if (!info.active()) {
      leaveOut(
          name,
          "port "
              + port
              + " of "
              + device.verbs().name()
              + " is not active; its link must be up (ip link, ibstat)");
      return;
    }
    if (info.maxMessage() < settings.maxSlice()) {
      leaveOut(
          name,
          name
              + " takes messages of "
              + info.maxMessage()
              + " bytes at most; set max-slice no higher to use it");
      return;
    }
    var gid = device.chooseGid(port, info, settings.gidIndex());
    if (gid.isEmpty()) {
      leaveOut(
          name,
          name
              + (settings.gidIndex() < 0
                  ? " has no usable GID; its network interface needs an address"
                  : " has no usable GID at gid-index " + settings.gidIndex()));
      return;
    }
    var life = new RailLife(settings.endpoint().quarantine());
    var rail = new RdmaRail(name, rails.size(), device, port, life);
    rail.update(info, gid.get());
    rail.vendorTable(new VendorTable(settings.vendorErrors(), device.info().vendor()));
    device.rails().add(rail);
    rails.add(rail);
  }

  private void leaveOut(String name, String why) {
    leftOut.put(name, why);
    if (settings.strictRails()) {
      throw new TransportException(FailureCode.NO_RAIL, why + " (strict-rails is set)");
    }
    LOG.warn("a rail is left out: {}", why);
  }
}
