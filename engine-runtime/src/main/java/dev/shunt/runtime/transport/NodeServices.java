package dev.shunt.runtime.transport;

import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.PathId;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.Remote;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.observe.Journal;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What a transport's host needs of the node around it. Any thread. */
public interface NodeServices {
  /** The node's name. */
  String name();

  /** {@code host:port} where its control plane is reached. */
  String controlAddress();

  /** The node's generation. */
  long generation();

  /** Time, chance, sockets, threads. */
  Platform platform();

  /** Where it is told what happens. */
  Journal journal();

  /** Registered memory. */
  Regions regions();

  /** The control plane, answering on a supervisor. */
  ControlPlane control(Mailbox supervisor);

  /** A name for a new link. */
  LinkId newLink();

  /** Whether a remote is a node that has agreed to be asked to refuse links. */
  boolean canFence(Remote remote);

  /** Why a remote's control plane is not called, as it gives no answer; empty if it does. */
  default String silence(Remote remote) {
    return "";
  }

  /** Asks a node's word that it refuses a link of ours. */
  void fence(String transport, Remote remote, LinkId link, long deadline, Consumer<Boolean> answer);

  /** A remote's process is another one by now. */
  void remoteIsStale(Remote remote, String text);

  /** The name of a path's remote rail; its index as a text if the remote is not known any more. */
  String remoteRail(String transport, PathId path);

  /** A remote refused a request as one that its descriptor does not allow. */
  void refused(Remote remote);

  /** A path to a remote failed: the remote may be another process by now. */
  void suspect(PathId path);

  /**
   * A channel to a remote was asked for: if none is there before long, its control plane is asked
   * whether it is there at all.
   */
  default void connecting(Remote remote) {}

  /**
   * Nodes that were met and can be read by a check, in the order in which they were met. On the
   * steward's thread.
   */
  List<EchoPartner> echoPartners(String transport);

  /**
   * Asks whether the control plane of such a node answers now, by any of its addresses.
   *
   * @param answer called once, on any thread, soon after the deadline at the latest
   */
  void isThere(EchoPartner partner, long deadline, Consumer<Boolean> answer);

  /**
   * Where a check of a rail puts what it reads; empty while there is no memory for it.
   *
   * @param place which of the rail's {@link EchoRoom#PLACES} places
   */
  Optional<EchoRoom> echoRoom(String transport, int rail, int place);

  /** What the descriptor tells has changed. */
  void descriptorChanged();
}
