package org.example.shunt.unix;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.LaneDriver;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Limits;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.Region;
import dev.shunt.api.spi.RegionKey;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The transport of one engine. Its first lane serves the peers; every lane has its own channels.
 */
final class UnixTransport implements Transport {
  private static final System.Logger LOG = System.getLogger(UnixTransport.class.getName());
  private static final Limits LIMITS =
      new Limits(
          1 << 20, Frames.MAX_LENGTH, UnixChannel.DEPTH, true, true, false, Limits.Fencing.BY_WORD);

  private final TransportContext context;
  private final UnixSettings settings;
  private final List<UnixRail> rails = new ArrayList<>();
  private final List<UnixLane> lanes = new ArrayList<>();

  UnixTransport(TransportContext context, UnixSettings settings) {
    this.context = context;
    this.settings = settings;
  }

  @Override
  public Limits limits() {
    return LIMITS;
  }

  @Override
  public List<? extends Rail> start(RailListener listener) {
    TransportException last = null;
    for (var directory : settings.directories()) {
      try {
        rails.add(listen(directory));
      } catch (TransportException e) {
        if (settings.strictRails()) {
          throw e;
        }
        LOG.log(System.Logger.Level.WARNING, "unix: a rail is left out: {0}", e.getMessage());
        last = e;
      }
    }
    if (rails.isEmpty()) {
      throw last;
    }
    return List.copyOf(rails);
  }

  private UnixRail listen(Path directory) {
    var name = "shunt-%016x.sock".formatted(context.random());
    var socket = directory.toAbsolutePath().resolve(name);
    if (socket.toString().length() > UnixRail.LONGEST) {
      throw new TransportException(
          FailureCode.RESOURCE,
          "the path " + socket + " is longer than a socket's may be; choose a shorter directory");
    }
    try {
      var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        server.bind(UnixDomainSocketAddress.of(socket), 128);
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        server.configureBlocking(false);
        return new UnixRail(directory.toString(), rails.size(), socket, server);
      } catch (IOException e) {
        server.close();
        throw e;
      }
    } catch (IOException e) {
      throw new TransportException(
          FailureCode.RESOURCE, "cannot listen in " + directory + ": " + e.getMessage(), e);
    }
  }

  @Override
  public LaneDriver openLane(int lane, LaneListener listener) {
    var driver = new UnixLane(context, settings, listener, lane == 0 ? rails : List.of());
    lanes.add(driver);
    return driver;
  }

  @Override
  public RegionKey register(Rail rail, Region region) {
    return new UnixKey(region.id());
  }

  @Override
  public void unregister(RegionKey key) {
    // The runtime's own table of registrations is asked for each request.
  }

  @Override
  public boolean reaches(Remote.Node node) {
    return node.verdict().version(UnixProvider.STREAM) > 0;
  }

  @Override
  public void connect(ConnectRequest request) {
    context.lane(request.lane()).execute(() -> lanes.get(request.lane()).connect(request));
  }

  @Override
  public void fence(LinkId link, Consumer<Boolean> answer) {
    var taken =
        context
            .lane(0)
            .execute(
                () -> {
                  lanes.getFirst().fence(link);
                  answer.accept(true);
                });
    if (!taken) {
      // The lane has ended, and with it all that it served.
      answer.accept(true);
    }
  }

  @Override
  public void close() {
    for (var rail : rails) {
      try {
        rail.server().close();
        Files.deleteIfExists(rail.socket());
      } catch (IOException e) {
        LOG.log(System.Logger.Level.WARNING, "unix: {0} is left behind: {1}", rail.socket(), e);
      }
    }
  }

  /** The drivers, for tests that break something. */
  List<UnixLane> lanes() {
    return lanes;
  }
}
