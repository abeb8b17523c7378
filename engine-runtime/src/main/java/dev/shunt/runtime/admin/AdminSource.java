package dev.shunt.runtime.admin;

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

  /** Threads that make no progress. */
  List<String> stuck();

  /** The flight recorder, if it runs. */
  Optional<Recorder> recorder();
}
