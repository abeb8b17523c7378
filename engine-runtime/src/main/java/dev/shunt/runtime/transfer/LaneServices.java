package dev.shunt.runtime.transfer;

import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.FailoverPolicy;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.Remote;
import dev.shunt.runtime.observe.Journal;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What lanes need of the rest of the engine. Called in a lane's turn, which may be a caller's;
 * answers come by the lane's mailbox.
 */
public interface LaneServices {
  /** The transport's id. */
  String transport();

  /** Our rails. */
  List<? extends Rail> rails();

  /** A name for a new link. */
  LinkId newLink();

  /** Asks the transport for a channel. */
  void connect(ConnectRequest request);

  /** Asks a node's word that it refuses a link. */
  void fence(Remote remote, LinkId link, long deadline, Consumer<Boolean> answer);

  /** Whether a remote can be asked at all. */
  default boolean canFence(Remote remote) {
    return true;
  }

  /** Why a remote is not reached at all, as far as that is known; empty if it is. */
  default String silence(Remote remote) {
    return "";
  }

  /**
   * Tells the steward that a path has a channel.
   *
   * @param link the number of its link
   */
  default void pathUp(PathId path, long link) {}

  /**
   * Reports a fault to the steward.
   *
   * @param link the number of the link that failed
   */
  void pathFailed(PathId path, long link, Fault fault);

  /** Reports to the steward that a path works. */
  void pathSucceeded(PathId path);

  /**
   * Tells that no path to a remote is of use any more, or that one is again.
   *
   * @param goesOn what becomes of what is for it
   */
  default void standing(Remote remote, boolean good, String goesOn) {}

  /** Something failed for which one of our rails is to blame. */
  default void railFailed(int rail, Fault fault) {}

  /** One of our rails carried a slice well: comes for each, and costs a look at a flag. */
  default void railCarried(int rail) {}

  /** A remote's process is another one by now. */
  void remoteIsStale(Remote remote, String text);

  /** A remote refused a request as one that its descriptor does not allow. */
  void refused(Remote remote);

  /** What the steward says of paths now. */
  Routes routes();

  /** Where it is told what happens. */
  Journal journal();

  /** For how many nanoseconds a lane looks for more before it parks. */
  default long idleSpin() {
    return 0;
  }

  /** What decides about failures. */
  FailoverPolicy policy();

  /**
   * What the steward says of paths, immutable.
   *
   * @param pausedUntil by path
   * @param inactive indices of our rails that are not used
   */
  record Routes(Map<PathId, Long> pausedUntil, List<Integer> inactive) {
    /** Nothing is paused. */
    public static final Routes OPEN = new Routes(Map.of(), List.of());
  }
}
