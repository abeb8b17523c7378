package dev.shunt.runtime.control;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.PeerHealth;
import dev.shunt.runtime.agent.Platform;
import dev.shunt.runtime.agent.WireAgent;
import dev.shunt.runtime.control.core.DataDesk;
import dev.shunt.runtime.observe.CallMeter;
import dev.shunt.runtime.observe.Journal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The control plane of a node: listens, serves functions, calls functions of peers. One thread does
 * it all; {@link #serve} and the calls may come from any.
 *
 * <p>A call ends exactly once, by its deadline, and is never repeated: where the connection breaks
 * after a byte of the request went out, nobody here can tell whether it was served. Connections to
 * peers are kept for a while and used again, each for one request at a time. Hello, Fence and Probe
 * have connections of their own, and so has what carries payload: none waits behind another.
 */
public final class ControlService extends WireAgent {
  private static final int STAGING = 64 << 10;
  private static final int SPARE_TASKS = 1024;

  /**
   * A turn that comes so much later than it was due means that this process did not run: longer
   * than a busy machine lets a thread wait, shorter than anything that is called a timeout.
   */
  static final long STOOD_STILL = 500_000_000L;

  private final Platform platform;
  private final ControlOptions options;
  private final Routes routes = new Routes();
  private final ControlServer server;
  private final ControlClient client;
  private final CallMeter meter = new CallMeter();
  private final Acquaintances acquaintances = new Acquaintances();
  private volatile Optional<PeerWatch> watch = Optional.empty();
  private final AtomicInteger outstanding = new AtomicInteger();
  private final MemorySegment input = Arena.ofAuto().allocate(STAGING);
  private final MemorySegment output = Arena.ofAuto().allocate(STAGING);
  private long due = Long.MAX_VALUE;
  private boolean stoodStill;

  /** A control plane that listens nowhere yet. */
  public ControlService(String name, ControlOptions options, Platform platform) {
    super(name, tasks(options), platform.wires());
    this.platform = platform;
    this.options = options;
    this.server = new ControlServer(this, options);
    this.client = new ControlClient(this, options, routes);
  }

  /** Room for each call and each answer there can be, so that no answer is ever lost. */
  private static int tasks(ControlOptions options) {
    long most =
        2L * options.maxOutstanding()
            + (long) options.maxConnections() * options.maxPending()
            + SPARE_TASKS;
    return (int) Math.min(Integer.MAX_VALUE, most);
  }

  /**
   * Listens. Called before the agent has its turns, by the thread that starts it.
   *
   * @param addresses port 0 for a free one; the first has to be had, of the others those that
   *     cannot be are left out with a warning
   * @return where it listens, in the order given
   * @throws dev.shunt.api.spi.TransportException if the first cannot be had
   */
  public List<InetSocketAddress> listen(List<InetSocketAddress> addresses) {
    var where = server.listen(addresses);
    routes.listening(where);
    return where;
  }

  /**
   * Calls no peer that is known not to answer, and asks it now and then whether it does. Called
   * before the agent has its turns.
   *
   * @param machine knows
   * @param journal where changes are told
   * @param probeTimeout how long a probe may take
   * @param echoInterval after how much silence a node that was met is asked too; zero for never
   */
  public void watch(
      PeerHealth machine, Journal journal, Duration probeTimeout, Duration echoInterval) {
    var peers =
        new PeerWatch(
            machine,
            journal,
            acquaintances,
            new PeerTales((time, task) -> at(time, task)),
            address -> {
              client.gate().marked(address);
              client.release(address);
            });
    var prober = new Prober(this, routes, machine, peers, probeTimeout.toNanos());
    client.gate().watch(peers, prober);
    watch = Optional.of(peers);
    if (!echoInterval.isZero()) {
      execute(new Echoes(this, peers, probeTimeout.toNanos(), echoInterval.toNanos())::begin);
    }
  }

  /** Who is behind the addresses that are called. Any thread. */
  public Acquaintances acquaintances() {
    return acquaintances;
  }

  /**
   * What is known of a peer none of whose addresses answers; empty if one may. Any thread, and
   * cheap where all answer.
   */
  public Optional<PeerHealth.Unreachable> unreachable(List<String> addresses) {
    var peers = watch;
    return peers.isEmpty() ? Optional.empty() : peers.get().unreachable(addresses);
  }

  /** What is said of a peer that is not called because of a mark. Any thread. */
  public String describe(PeerHealth.Unreachable mark) {
    return PeerWatch.text(mark, now());
  }

  @Override
  public int work(long now) {
    stoodStill = due != Long.MAX_VALUE && now - due > STOOD_STILL;
    if (stoodStill) {
      var late = now - due;
      watch.ifPresent(peers -> peers.stoodStill(late, now));
    }
    int done = super.work(now);
    stoodStill = false;
    // What waits already is due at once; a time that has passed was due when this turn began.
    due = Math.max(now, nextDeadline());
    return done;
  }

  /**
   * Whether this turn came much later than it was due: the process, or the machine, stood still,
   * and what ends for want of time in this turn is blamed on nobody.
   */
  boolean stoodStillNow() {
    return stoodStill;
  }

  /** Serves a function from now on, in place of who served it before. Any thread. */
  public void serve(int function, ControlHandler handler) {
    server.serve(function, handler);
  }

  /**
   * Serves SendData and RecvData: what they move goes straight into, and out of, memory. Called
   * before the agent has its turns.
   */
  public void serveData(DataDesk desk) {
    server.serveData(desk);
  }

  /** Calls a function at one address: see the longer form. */
  public void call(
      String address, int function, byte[] request, long deadline, CallHandler handler) {
    call(List.of(address), function, request, deadline, handler);
  }

  /**
   * Calls a function of a peer. Any thread; never blocks.
   *
   * @param addresses {@code host:port} of the peer, at least one; the next one is tried where
   *     connecting failed, and only then: a request of which a byte went out is never sent again
   * @param deadline in nanoseconds of {@link Platform#now()}
   */
  public void call(
      List<String> addresses, int function, byte[] request, long deadline, CallHandler handler) {
    call(new Call(Optional.empty(), addresses, function, request, deadline, handler, meter));
  }

  /** Calls by way of a local address (port 0): by one rail of ours, that is. */
  public void callFrom(
      InetSocketAddress local,
      List<String> addresses,
      int function,
      byte[] request,
      long deadline,
      CallHandler handler) {
    call(new Call(Optional.of(local), addresses, function, request, deadline, handler, meter));
  }

  private void call(Call call) {
    meter.called(call.function);
    if (call.addresses.isEmpty() || call.request.length > options.maxFrame()) {
      call.fail(
          Blame.REQUEST,
          FailureCode.REJECTED,
          false,
          call.request.length
              + " bytes to "
              + call.addresses.size()
              + " addresses; at least one address, and at most "
              + options.maxFrame()
              + " bytes (rpc.max-frame)",
          0);
    } else if (outstanding.incrementAndGet() > options.maxOutstanding()) {
      outstanding.decrementAndGet();
      var mark = unreachable(call.addresses);
      if (mark.isPresent()) {
        call.fail(
            Blame.NEUTRAL, FailureCode.UNREACHABLE, false, PeerWatch.text(mark.get(), now()), 0);
        return;
      }
      call.fail(
          Blame.LOCAL,
          FailureCode.BUSY,
          false,
          options.maxOutstanding() + " calls are under way already (rpc.max-outstanding)",
          0);
    } else if (!execute(() -> client.begin(call))) {
      outstanding.decrementAndGet();
      call.fail(Blame.LOCAL, FailureCode.CLOSED, false, "the control plane is closed", 0);
    }
  }

  /** Calls by function. Any thread. */
  public CallMeter meter() {
    return meter;
  }

  /** How many calls have not ended. Any thread. */
  public int outstanding() {
    return outstanding.get();
  }

  /** How many connections peers have here. Any thread. */
  public int inboundConnections() {
    return server.connections();
  }

  /** How many connections with probes there are. Any thread. */
  public int probesUnderWay() {
    return client.gate().probesUnderWay();
  }

  /** How many bytes of peers' messages lie on the heap. On the control thread. */
  public long buffered() {
    return server.budget().held();
  }

  /** How many connections there are to peers. Any thread. */
  public int outboundConnections() {
    return client.open();
  }

  @Override
  public void close(long now) {
    client.close();
    server.close();
    super.close(now);
  }

  /**
   * Asks for the address of a name, elsewhere: a name server may let us wait.
   *
   * @param found called on this thread with the address, or null and the problem
   * @param busy called now if it cannot even be asked for
   * @return whether it is asked for
   */
  boolean resolve(
      InetSocketAddress name, BiConsumer<InetSocketAddress, String> found, Consumer<String> busy) {
    var host = name.getHostString();
    var asked =
        platform.<InetAddress>sacrifice(
            "resolve " + host,
            () -> InetAddress.getByName(host),
            (address, thrown) ->
                execute(
                    () -> {
                      if (address == null) {
                        found.accept(null, "the name " + host + " is not known");
                      } else {
                        found.accept(new InetSocketAddress(address, name.getPort()), "");
                      }
                    }));
    if (!asked) {
      busy.accept("the name " + host + " cannot be resolved now: too many calls block already");
    }
    return asked;
  }

  void ended() {
    outstanding.decrementAndGet();
  }

  int maxFrame() {
    return options.maxFrame();
  }

  long now() {
    return platform.now();
  }

  MemorySegment input() {
    return input;
  }

  MemorySegment output() {
    return output;
  }
}
