package dev.shunt.runtime.admin;

import dev.shunt.api.Signal;
import dev.shunt.api.Status;
import java.util.List;
import java.util.Optional;

/** What operators are told. Any thread. */
public interface AdminSource {
  /** How the node is. */
  Status status();

  /** What it is at. */
  Status.State state();

  /** Its metrics, in the text format of Prometheus. */
  String metrics();

  /**
   * Takes a rail out of use.
   *
   * @throws dev.shunt.api.ShuntException with REJECTED if there is no such rail
   */
  Signal<Status.RailStatus> drainRail(String transport, String rail);

  /**
   * Brings a rail back; it is checked first.
   *
   * @throws dev.shunt.api.ShuntException with REJECTED if there is no such rail
   */
  Signal<Status.RailStatus> restoreRail(String transport, String rail);

  /** Threads that make no progress. */
  List<String> stuck();

  /** The flight recorder, if it runs. */
  Optional<Recorder> recorder();
}
