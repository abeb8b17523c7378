package dev.shunt.runtime.transport;

import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailHealth.RailRecord;
import dev.shunt.api.spi.RailHealth.State;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.observe.Journal;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people of rails: a line in the log and an event for each change of state, and no more. What
 * comes again and again meanwhile is counted, and told with the next change.
 */
final class RailTales {
  private static final Logger LOG = LoggerFactory.getLogger(RailTales.class);
  private static final long MILLI = 1_000_000;

  private final String transport;
  private final Journal journal;
  private List<? extends Rail> rails = List.of();
  private State[] told = {};
  private int[] reports = {};
  private int[] failedChecks = {};

  RailTales(String transport, Journal journal) {
    this.transport = transport;
    this.journal = journal;
  }

  /** These are the rails; all are active. */
  void open(List<? extends Rail> found) {
    rails = found;
    told = new State[found.size()];
    Arrays.fill(told, State.ACTIVE);
    reports = new int[found.size()];
    failedChecks = new int[found.size()];
  }

  /** The transport says that a rail is out of use: maybe not for the first time. */
  void again(int rail) {
    reports[rail]++;
  }

  /** A check ended. */
  void checked(int rail, String problem) {
    if (problem.isEmpty()) {
      return;
    }
    var name = rails.get(rail).name();
    journal.rail(Change.RAIL_CHECK_FAILED, transport, name, problem);
    if (failedChecks[rail]++ == 0) {
      LOG.info("{}: rail {} does not work yet: {}", transport, name, problem);
    }
  }

  /**
   * What a rail is at now, whether that is news or not.
   *
   * @param note what is to be known of its last check; empty as a rule
   */
  void at(int rail, RailRecord record, String note, long now) {
    if (record.state() == told[rail]) {
      return;
    }
    var before = told[rail];
    told[rail] = record.state();
    var name = rails.get(rail).name();
    var change = change(record.state());
    journal.rail(change, transport, name, record.reason());
    switch (record.state()) {
      case ACTIVE -> LOG.info("{}: rail {} {}{}", transport, name, back(note), counted(rail));
      case INACTIVE -> LOG.warn("{}: rail {} is inactive: {}", transport, name, record.reason());
      case RECOVERING -> {
        if (before == State.ACTIVE) {
          // What it erred by, since no link was lost.
          LOG.warn(
              "{}: rail {} is out of use: {}{}",
              transport,
              name,
              record.reason(),
              delay(record, now));
        } else {
          LOG.info(
              "{}: rail {} is recovering{}{}", transport, name, delay(record, now), counted(rail));
        }
      }
      case DRAINED ->
          LOG.info("{}: rail {} is drained: {}{}", transport, name, record.reason(), counted(rail));
    }
    reports[rail] = 0;
    failedChecks[rail] = 0;
  }

  /** A node that drains takes nothing new by it. */
  String back(String note) {
    return "is in use again"
        + (journal.count(Change.NODE_DRAINING) == 0 ? "" : " for what is under way")
        + (note.isEmpty() ? "" : " (" + note + ")");
  }

  private static Change change(State state) {
    return switch (state) {
      case ACTIVE -> Change.RAIL_ACTIVE;
      case INACTIVE -> Change.RAIL_INACTIVE;
      case RECOVERING -> Change.RAIL_RECOVERING;
      case DRAINED -> Change.RAIL_DRAINED;
    };
  }

  private static String delay(RailRecord record, long now) {
    return record.checking()
        ? "; it is checked now"
        : "; it is checked in " + Math.max(0, record.recoverAt() - now) / MILLI + " ms";
  }

  private String counted(int rail) {
    var text = new StringBuilder();
    if (reports[rail] > 0) {
      text.append(" (meanwhile reported inactive ").append(reports[rail]).append(" times");
    }
    if (failedChecks[rail] > 0) {
      text.append(text.isEmpty() ? " (" : ", ");
      text.append(failedChecks[rail]).append(" checks failed");
    }
    return text.isEmpty() ? "" : text.append(')').toString();
  }
}
