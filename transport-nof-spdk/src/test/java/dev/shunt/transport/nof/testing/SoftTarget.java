package dev.shunt.transport.nof.testing;

import dev.shunt.api.spi.WireLoop;
import dev.shunt.api.spi.WireServer;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/** A target with one subsystem and one namespace in memory. One thread at a time. */
public final class SoftTarget {
  private final WireLoop loop;
  private final LongUnaryOperator below;
  private final List<SoftConnection> connections = new ArrayList<>();
  private final TreeMap<Integer, SoftController> controllers = new TreeMap<>();
  private final List<Fuse> rules = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final PriorityQueue<SoftCommand> due =
      new PriorityQueue<>(
          (a, b) ->
              a.due != b.due ? Long.compare(a.due - b.due, 0) : Long.compare(a.order, b.order));
  private SoftOptions options;
  private MemorySegment memory;
  private WireServer server;
  private WriteHook hook = (target, offset, length, now) -> {};
  private boolean frozen;
  private int numbers;
  private long orders;
  private long writes;
  private long reads;
  private long keepAlives;

  /** A rule, and how often it was met. */
  private static final class Fuse {
    final Rule rule;
    int met;

    Fuse(Rule rule) {
      this.rule = rule;
    }
  }

  /**
   * A target that does not listen yet.
   *
   * @param below gives a number from 0 up to its argument, not included: the seed's
   */
  public SoftTarget(WireLoop loop, SoftOptions options, LongUnaryOperator below) {
    this.loop = loop;
    this.below = below;
    become(options);
  }

  /** Starts over with an empty namespace, as a restarted target does; connections are dropped. */
  public void become(SoftOptions other) {
    dropAll();
    options = other;
    memory = MemorySegment.ofArray(new byte[Math.toIntExact(other.blocks * other.blockSize)]);
  }

  /** Listens. */
  public void listen(InetSocketAddress address) {
    server =
        loop.listen(
            address,
            (wire, now) -> {
              var connection = new SoftConnection(this, wire, now);
              connections.add(connection);
              connection.accepted();
              return connection.stream();
            });
  }

  /** Refuses connections from here on. */
  public void refuse() {
    server.close();
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.address();
  }

  /** The name by which a node opens its namespace. */
  public String name() {
    return "traddr:"
        + address().getAddress().getHostAddress()
        + " trsvcid:"
        + address().getPort()
        + " subnqn:"
        + options.subsystem
        + " trtype:TCP adrfam:IPv4 ns:"
        + options.namespace;
  }

  /** The namespace's bytes. */
  public MemorySegment memory() {
    return memory;
  }

  /** How it is. */
  public SoftOptions options() {
    return options;
  }

  /** Adds something that goes wrong; rules are tried in their order. */
  public void rule(Rule rule) {
    rules.add(new Fuse(rule));
  }

  /** All goes well again. */
  public void heal() {
    rules.clear();
  }

  /** Hears of applied writes. */
  public void hook(WriteHook listener) {
    hook = listener;
  }

  /** What hosts did against the protocol; empty if all is well. */
  public List<String> violations() {
    return violations;
  }

  /** What happened: connections, controllers, timeouts. */
  public List<String> events() {
    return events;
  }

  /** How many writes were applied. */
  public long writes() {
    return writes;
  }

  /** How many reads were served. */
  public long reads() {
    return reads;
  }

  /** How many Keep Alives came. */
  public long keepAlives() {
    return keepAlives;
  }

  /** How many controllers there are. */
  public int controllers() {
    return controllers.size();
  }

  /** How many connections there are. */
  public int connections() {
    return connections.size();
  }

  /** Reads nothing and does nothing, while its kernel goes on taking bytes. */
  public void freeze() {
    frozen = true;
    for (var connection : connections) {
      connection.interest();
    }
  }

  /** Goes on with what came meanwhile. */
  public void thaw() {
    frozen = false;
    for (var connection : connections) {
      connection.interest();
    }
  }

  /** Resets all connections. */
  public void dropAll() {
    for (var connection : List.copyOf(connections)) {
      connection.drop();
    }
  }

  /** Moves on: its loop, what is due, and keep-alive. */
  public int work(long now) {
    int done = loop.poll(now);
    if (frozen) {
      return done;
    }
    while (!due.isEmpty() && now - due.peek().due >= 0) {
      var command = due.poll();
      done++;
      command.connection.serve(command, now);
    }
    for (var controller : List.copyOf(controllers.values())) {
      if (controller.keepAlive > 0 && now - controller.lastKeepAlive > controller.keepAlive) {
        events.add("keep-alive of controller " + controller.number + " expired");
        done++;
        end(controller);
      }
    }
    return done;
  }

  /** When it wants {@link #work} in any case. */
  public long nextDeadline() {
    long next = Long.MAX_VALUE;
    if (frozen) {
      return next;
    }
    if (!due.isEmpty()) {
      next = due.peek().due;
    }
    for (var controller : controllers.values()) {
      if (controller.keepAlive > 0) {
        next = Math.min(next, controller.lastKeepAlive + controller.keepAlive + 1);
      }
    }
    return next;
  }

  /** Ends it. */
  public void close() {
    loop.close();
  }

  // For its connections.

  boolean frozen() {
    return frozen;
  }

  Rule meets(Stage stage, int queue) {
    for (var fuse : rules) {
      var rule = fuse.rule;
      if (rule.stage() == stage && (rule.queue() < 0 || rule.queue() == queue)) {
        int met = fuse.met++;
        if (met >= rule.skip() && met - rule.skip() < rule.times()) {
          events.add(rule.action() + " at " + stage + " of queue " + queue);
          return rule;
        }
      }
    }
    return null;
  }

  void violation(String what) {
    violations.add(what);
  }

  SoftController controller(int number) {
    return controllers.get(number);
  }

  SoftController admit(long keepAlive, long now) {
    long rounded = keepAlive == 0 ? 0 : Math.max(keepAlive, options.leastKeepAlive);
    var controller = new SoftController(++numbers, rounded, now);
    controllers.put(controller.number, controller);
    events.add("controller " + controller.number);
    return controller;
  }

  void end(SoftController controller) {
    controllers.remove(controller.number);
    for (var connection : List.copyOf(controller.queues.values())) {
      connection.drop();
    }
  }

  void gone(SoftConnection connection) {
    connections.remove(connection);
    due.removeIf(command -> command.connection == connection);
  }

  void later(SoftCommand command, long now) {
    long jitter = options.serviceJitter > 0 ? below.applyAsLong(options.serviceJitter) : 0;
    command.due = now + options.serviceTime + jitter;
    command.order = ++orders;
    due.add(command);
  }

  void applied(long offset, long length, long now) {
    writes++;
    hook.applied(this, offset, length, now);
  }

  void served() {
    reads++;
  }

  void kept() {
    keepAlives++;
  }
}
