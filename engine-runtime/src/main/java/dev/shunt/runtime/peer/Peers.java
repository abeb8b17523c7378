package dev.shunt.runtime.peer;

import dev.shunt.api.Engine.SegmentResult;
import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Lookup;
import dev.shunt.api.spi.MetadataBackend;
import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.Remote;
import dev.shunt.api.spi.Verdict;
import dev.shunt.runtime.control.ControlService;
import dev.shunt.runtime.control.core.Greeting;
import dev.shunt.runtime.descriptor.Descriptor;
import dev.shunt.runtime.descriptor.DescriptorLimits;
import dev.shunt.runtime.descriptor.DescriptorReader;
import dev.shunt.runtime.json.MalformedException;
import dev.shunt.runtime.observe.Change;
import dev.shunt.runtime.transport.Steward;
import dev.shunt.runtime.transport.TransportHost;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds and meets other nodes, and opens targets. What is known of each is kept here until it turns
 * out to be another process. Any thread may ask; all happens on the steward.
 */
public final class Peers {
  private static final Logger LOG = LoggerFactory.getLogger(Peers.class);

  private final Object engine;
  private final Steward steward;
  private final MetadataBackend metadata;
  private final Meetings meetings;
  private final List<TransportHost> transports;
  private final Ways ways;
  private final Targets targets;
  private final Renewals renewals;
  private final Renewing times;
  private final int capacity;
  private final Map<String, RemoteState> known = new LinkedHashMap<>();
  private final Map<Remote.Node, List<String>> control = new ConcurrentHashMap<>();
  private final Silence silence;
  private final Set<String> suspected = new HashSet<>();
  private volatile List<RemoteState> snapshot = List.of();

  /**
   * Knows nobody.
   *
   * @param engine whose segments these are
   * @param transports in the order in which they are preferred
   * @param capacity how many remotes may be known at once
   */
  public Peers(
      Object engine,
      Steward steward,
      MetadataBackend metadata,
      ControlService control,
      Meetings meetings,
      List<TransportHost> transports,
      Renewing renewing,
      int capacity) {
    this.engine = engine;
    this.steward = steward;
    this.metadata = metadata;
    this.silence =
        new Silence(
            control,
            steward,
            renewing,
            known::get,
            state -> ask(state, renewing.now() + renewing.probe()));
    this.meetings = meetings;
    this.transports = List.copyOf(transports);
    this.ways = new Ways(this.transports);
    this.targets = new Targets(engine, steward, known::get, this::keep);
    this.times = renewing;
    this.renewals = new Renewals(steward, metadata, control, renewing, this::renewed);
    this.capacity = capacity;
  }

  /** Opens a segment; the answer comes on the steward's thread, once, by the deadline. */
  public void open(String name, long deadline, Consumer<SegmentResult> answer) {
    if (!steward.execute(() -> openHere(name, deadline, answer))) {
      answer.accept(refused(FailureCode.CLOSED, "the engine is closed"));
    }
  }

  private void openHere(String name, long deadline, Consumer<SegmentResult> answer) {
    for (var host : transports) {
      if (host.worker().owns(name)) {
        targets.open(host, name, deadline, answer);
        return;
      }
    }
    lookup(name, deadline, true, answer);
  }

  // ---- nodes

  private void lookup(String name, long deadline, boolean again, Consumer<SegmentResult> answer) {
    metadata.lookup(
        name,
        deadline,
        found -> steward.execute(() -> found(name, found, deadline, again, answer)));
  }

  private void found(
      String name, Lookup lookup, long deadline, boolean again, Consumer<SegmentResult> answer) {
    switch (lookup) {
      case Lookup.Unknown(var text) ->
          answer.accept(refused(FailureCode.UNKNOWN_SEGMENT, name + ": " + text));
      case Lookup.Failed(var fault) -> answer.accept(refused(fault, name));
      case Lookup.Found(var text) -> {
        Descriptor descriptor;
        try {
          descriptor = DescriptorReader.read(name, text, DescriptorLimits.DEFAULT);
        } catch (MalformedException e) {
          answer.accept(
              refused(
                  FailureCode.PROTOCOL,
                  "the descriptor of " + name + " is no good: " + e.getMessage()));
          return;
        }
        renewals.subscribe(descriptor);
        meet(name, descriptor, deadline, again, answer);
      }
    }
  }

  private void meet(
      String name,
      Descriptor descriptor,
      long deadline,
      boolean again,
      Consumer<SegmentResult> answer) {
    if (descriptor.plain()) {
      agreed(new Remote.Node(name, 0, Verdict.PLAIN), descriptor, answer);
      return;
    }
    var state = known.get(name);
    if (state != null && state.generation() == descriptor.generation() && state.stale() == null) {
      answer.accept(opened(state, descriptor));
      return;
    }
    meetings.meet(
        descriptor.control(),
        descriptor.generation(),
        deadline,
        outcome -> met(name, descriptor, outcome, deadline, again, answer));
  }

  private void met(
      String name,
      Descriptor descriptor,
      Greeting.Outcome outcome,
      long deadline,
      boolean again,
      Consumer<SegmentResult> answer) {
    switch (outcome) {
      case Greeting.Outcome.Met(var _, var verdict) ->
          agreed(new Remote.Node(name, descriptor.generation(), verdict), descriptor, answer);
      case Greeting.Outcome.Stale(var actual, var _) -> {
        if (again) {
          // It restarted between its descriptor and its answer: one more look, and no more.
          lookup(name, deadline, false, answer);
        } else {
          answer.accept(
              refused(
                  FailureCode.STALE_GENERATION,
                  name
                      + " answered with generation "
                      + Long.toUnsignedString(actual)
                      + ", and is described with another"));
        }
      }
      case Greeting.Outcome.Refused(var _, var text, var code) ->
          answer.accept(
              refused(
                  code.map(Refusal::failure).orElse(FailureCode.CAPABILITY), name + ": " + text));
      case Greeting.Outcome.Plain() ->
          agreed(new Remote.Node(name, 0, Verdict.PLAIN), descriptor, answer);
      case Greeting.Outcome.Failed(var fault) ->
          renewals.moved(
              descriptor,
              again && fault.code() == FailureCode.UNREACHABLE,
              deadline,
              fresh -> meet(name, fresh, deadline, false, answer),
              () -> answer.accept(refused(fault, name)));
    }
  }

  private void agreed(Remote.Node remote, Descriptor descriptor, Consumer<SegmentResult> answer) {
    var name = remote.name();
    var generation = Long.toUnsignedString(remote.generation());
    var old = known.get(name);
    if (old != null
        && old.remote() instanceof Remote.Node
        && old.generation() == remote.generation()
        && old.stale() == null) {
      answer.accept(opened(old, descriptor));
      return;
    }
    if (old == null && known.size() >= capacity && !forgetOne()) {
      answer.accept(
          refused(
              FailureCode.RESOURCE,
              capacity + " remotes are known and in use already: see shunt.transfer.max-remotes"));
      return;
    }
    if (old != null) {
      forget(old, Change.PEER_STALE, "generation " + generation + " answered");
    }
    var found = ways.to(remote, descriptor);
    var state = new RemoteState(remote, descriptor.control(), found, Ways.view(found, descriptor));
    control.put(remote, descriptor.control());
    silence.met(state);
    keep(state);
    if (state.plain()) {
      LOG.info("met {}, a plain peer", name);
    } else {
      LOG.info("met {} of generation {}: {}", name, generation, remote.verdict());
    }
    answer.accept(opened(state, descriptor));
  }

  private void keep(RemoteState state) {
    var name = state.remote().name();
    known.put(name, state);
    snapshot = List.copyOf(known.values());
    steward.journal().peer(Change.PEER_MET, name, state.generation(), "");
  }

  private SegmentResult opened(RemoteState state, Descriptor descriptor) {
    state.renew(descriptor);
    renewals.fresh(state);
    return new SegmentResult.Opened(new SegmentHandle(engine, state.remote().name(), 1, state));
  }

  private boolean forgetOne() {
    for (var entry : known.entrySet()) {
      var idle =
          entry.getValue().ways().stream().allMatch(h -> h.route().queuedRequests().get() == 0);
      if (idle) {
        forget(entry.getValue(), Change.PEER_FORGOTTEN, "it was forgotten to make room for others");
        return true;
      }
    }
    return false;
  }

  // ---- renewals

  /** A node's descriptor may have changed. Any thread. */
  public void changed(String name) {
    steward.execute(() -> renewals.renew(name));
  }

  /** A node's descriptor does not have what a request was for. Any thread, and cheap. */
  public void refused(RemoteState state) {
    if (state.remote() instanceof Remote.Node && state.askRenewal()) {
      steward.execute(
          () -> {
            state.renewalTaken();
            renewals.renew(state.remote().name());
          });
    }
  }

  /** A node refused what its descriptor had. Any thread. */
  public void refused(Remote remote) {
    steward.execute(
        () -> {
          var state = known.get(remote.name());
          if (state != null && state.remote().equals(remote)) {
            renewals.renew(remote.name());
          }
        });
  }

  private void renewed(RemoteState state, Descriptor descriptor) {
    if (state.plain() || descriptor.generation() == state.generation()) {
      state.renew(descriptor);
    } else {
      // Its own word at the address on record decides, and not a text.
      ask(state, times.now() + times.patience());
    }
  }

  // ---- the end of a generation

  /** A remote turned out to be another process. Any thread. */
  public void stale(Remote remote, String text) {
    steward.execute(
        () -> {
          var state = known.get(remote.name());
          if (state != null && state.remote().equals(remote) && state.stale() == null) {
            LOG.info("{} is another process by now: {}", remote.name(), text);
            forget(state, Change.PEER_STALE, text);
          }
        });
  }

  /**
   * A path to a node failed: asks the node whether it is still the process that was met, once for
   * many failures at a time. Any thread.
   *
   * @param deadline of the question, in nanoseconds
   */
  public void suspect(String name, long generation, long deadline) {
    steward.execute(
        () -> {
          var state = known.get(name);
          if (state != null
              && state.generation() == generation
              && generation != 0
              && state.stale() == null) {
            ask(state, deadline);
          }
        });
  }

  /** Which of them do not answer. */
  public Silence silence() {
    return silence;
  }

  private void ask(RemoteState state, long deadline) {
    var name = state.remote().name();
    if (!suspected.add(name)) {
      return;
    }
    meetings.meet(
        state.control(),
        state.generation(),
        deadline,
        outcome -> {
          suspected.remove(name);
          if (outcome instanceof Greeting.Outcome.Stale(var actual, var _)) {
            stale(state.remote(), "generation " + Long.toUnsignedString(actual) + " answers");
          } else if (outcome instanceof Greeting.Outcome.Plain && !state.plain()) {
            stale(state.remote(), "a plain peer answers");
          } else if (outcome instanceof Greeting.Outcome.Refused(var _, var text, var code)
              && code.equals(Optional.of(Refusal.CLOSING))) {
            closes(state, text);
          }
        });
  }

  /** Its memory goes with it: nothing that is under way there is worth another try. */
  private void closes(RemoteState state, String text) {
    if (state.stale() == null && state.closes(text)) {
      steward.journal().peer(Change.PEER_CLOSING, state.remote().name(), state.generation(), text);
      LOG.info("{} closes: what is under way to it ends", state.remote().name());
    }
  }

  private void forget(RemoteState state, Change how, String text) {
    steward.journal().peer(how, state.remote().name(), state.generation(), text);
    state.retire(text);
    known.remove(state.remote().name());
    renewals.forget(state.remote().name());
    snapshot = List.copyOf(known.values());
    if (state.remote() instanceof Remote.Node node) {
      control.remove(node);
      silence.forget(state);
    }
  }

  /** Where a node's control plane listens; empty if the node is not known any more. Any thread. */
  public List<String> addresses(Remote.Node node) {
    return control.getOrDefault(node, List.of());
  }

  /** All that are known. Any thread. */
  public List<RemoteState> known() {
    return snapshot;
  }

  private static SegmentResult refused(FailureCode code, String text) {
    return new SegmentResult.Refused(Failure.of(code, text));
  }

  private static SegmentResult refused(Fault fault, String name) {
    return refused(fault.code(), name + ": " + fault.text());
  }
}
