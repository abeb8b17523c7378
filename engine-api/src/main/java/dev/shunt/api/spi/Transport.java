package dev.shunt.api.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A way to move bytes between registered memory and a remote. One for each engine.
 *
 * <p>All methods are called on the transport's supervisor thread ({@link
 * TransportContext#supervisor()}), but for {@link #limits()} and {@link #owns}, which any thread
 * may call. None of them blocks: what may block goes through {@link TransportContext#attempts()}.
 */
public interface Transport {
  /** What fits, and what is promised. Never changes. */
  Limits limits();

  /**
   * Finds the rails and begins to listen on them. A rail that cannot be had (an address that is not
   * ours, say) is left out with a warning, unless {@code strict-rails} is set.
   *
   * @return the rails, in an order that stays; a rail's index in it is {@link Rail#index()}
   * @throws TransportException if no rail can be had
   */
  List<? extends Rail> start(RailListener listener);

  /**
   * Makes the driver of one lane. Called once for each lane, after {@link #start}, before any
   * connection is asked for.
   *
   * @param lane its number, from 0 up to {@link TransportContext#lanes()}
   * @param listener where it reports; called only from within calls of the runtime's for that lane
   */
  LaneDriver openLane(int lane, LaneListener listener);

  /**
   * Registers memory on one rail.
   *
   * @throws TransportException with the reason and the remedy (a limit on locked memory, say)
   */
  RegionKey register(Rail rail, Region region);

  /**
   * Registers memory on several rails: on all of them, or on none. What takes long, as where a
   * device pins each page, is done elsewhere, and for all rails at the same time.
   *
   * @param answer called on the supervisor thread, once, maybe before this returns
   */
  default void register(List<? extends Rail> rails, Region region, Consumer<Registration> answer) {
    var keys = new ArrayList<RegionKey>();
    try {
      rails.forEach(rail -> keys.add(register(rail, region)));
    } catch (TransportException refused) {
      keys.forEach(this::unregister);
      answer.accept(new Registration.Refused(refused));
      return;
    }
    answer.accept(new Registration.Made(keys));
  }

  /** Ends a registration. No slice uses it any more, and no remote's key opens it from here on. */
  void unregister(RegionKey key);

  /**
   * Asks for a channel on a path. Answered on the lane that the request names, exactly once and at
   * the latest at its deadline: {@link LaneListener#channelUp} or {@link
   * LaneListener#connectFailed}. Only a lane that was closed meanwhile is owed no answer. The
   * runtime takes a request that was not answered a second after its deadline for failed.
   */
  void connect(ConnectRequest request);

  /**
   * The passive side of a fence: from the answer on, nothing that the remote sent on that link
   * changes memory here. What had begun is finished or dropped first. A link that is not known is
   * fenced as well: it is remembered, and refused if it appears.
   *
   * @param answer called with true when fenced, false if that cannot be promised; on any thread
   */
  void fence(LinkId link, Consumer<Boolean> answer);

  /**
   * What operators see of its inside: devices, ports, pools. On the supervisor thread, now and
   * then; what it asks the system for must not block. Bounded: beyond 256 the runtime shows no
   * more.
   */
  default List<Insight> insights() {
    return List.of();
  }

  /**
   * Looks whether a rail that was out of use works again, as far as that can be seen from here: its
   * link, its address, which is read anew ({@link RailListener#changed} tells of another one), a
   * loopback of its data path. Nothing is sent to peers.
   *
   * @param anew whether what the transport keeps for the rail is to be made anew first: it erred
   * @param deadline in nanoseconds of {@link TransportContext#now()}
   * @param answer called on the supervisor thread, once: what is wrong with it; empty if nothing is
   */
  default void check(Rail rail, boolean anew, long deadline, Consumer<Optional<Fault>> answer) {
    answer.accept(Optional.empty());
  }

  /**
   * Where a lane's ports for notifications report, and what arrives is handed up. Called once for
   * each lane, after {@link #openLane} and before anything is asked for, by a runtime that wants
   * notifications; without it a transport has no ports, and tells its peers that it has none.
   *
   * @param lane its number
   * @param protocol the highest protocol of frames that the runtime takes: peers are told it, see
   *     {@link NotifyPort#protocol}
   * @return whether this transport can carry notifications; the same for all lanes
   */
  default boolean openNotify(int lane, int protocol, NotifyListener listener) {
    return false;
  }

  /**
   * Asks for a port on a path; only where {@link #openNotify} answered true. Answered as {@link
   * #connect} is, by {@link NotifyListener#portUp} or {@link NotifyListener#portFailed}. A link of
   * its own, which {@link #fence} knows too; but toward a remote that ties its notifications to a
   * data link, the port is a part of the one that is up on that path, and comes on that link's
   * lane; while there is none it is refused with the code BUSY and without blame: ask for a channel
   * first.
   */
  default void openPort(ConnectRequest request) {
    throw new UnsupportedOperationException("this transport has no ports for notifications");
  }

  /**
   * Whether this transport can be used towards a node: that the capabilities are agreed without
   * which it would not understand the other side. Asked only where both sides have rails.
   */
  default boolean reaches(Remote.Node node) {
    return true;
  }

  /**
   * Whether a segment of this name is a target of this transport's own (a namespace of a storage
   * target), and so not a node's. Looks at the name only.
   */
  default boolean owns(String segmentName) {
    return false;
  }

  /**
   * Opens a target that {@link #owns} claimed: connects as far as is needed to describe it.
   *
   * @param deadline in nanoseconds of {@link TransportContext#now()}
   * @param answer called on the supervisor thread, once
   */
  default void openTarget(String segmentName, long deadline, Consumer<TargetOpening> answer) {
    answer.accept(new TargetOpening.Refused(Fault.unsupported("this transport has no targets")));
  }

  /**
   * The node closes: ends the links that peers asked for where their requests are served without a
   * lane, and accepts no more. After the lanes' drivers were closed, and before the memory that
   * peers reach is unregistered: they are cut off then, and not refused for what was right. Does
   * not wait for anything.
   *
   * @return after how long at most, in nanoseconds, peers that have something under way find out:
   *     the node still answers until then
   */
  default long leave() {
    return 0;
  }

  /**
   * Closes listeners, links and rails, after the lanes' drivers were closed. Frees all that it
   * holds, or says in the log what it could not.
   */
  void close();
}
