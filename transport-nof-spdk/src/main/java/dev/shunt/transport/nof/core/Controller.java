package dev.shunt.transport.nof.core;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * Brings a controller up over its admin queue, looks namespaces up, and keeps it alive. The owner
 * hands it what the queue tells, and calls {@link #tick} at {@link #nextDeadline()}.
 */
public final class Controller {
  private static final Object KEEP_ALIVE = new Object();
  private static final int MAX_LOOKUPS = 256;
  private static final long READY_POLL = 10_000_000;
  private static final long READY_UNIT = 500_000_000;
  private static final long ENABLE = 0x0046_0001;
  private static final long NORMAL_SHUTDOWN = 0x4000;

  private enum Step {
    WAITING,
    CAPABILITIES,
    VERSION,
    ENABLE,
    READY,
    IDENTIFY,
    QUEUES,
    KEEP_ALIVE,
    UP,
    FAILED
  }

  private static final class Question {
    final long namespace;
    final ControllerEvents.Lookup lookup;
    NamespaceFacts facts;

    Question(long namespace, ControllerEvents.Lookup lookup) {
      this.namespace = namespace;
      this.lookup = lookup;
    }
  }

  private final ControllerSetup setup;
  private final Queue queue;
  private final MemorySegment data;
  private final ControllerEvents events;
  private final ArrayDeque<Question> questions = new ArrayDeque<>();
  private Question question;
  private Slot taken;
  private Step step = Step.WAITING;
  private int number;
  private long capabilities;
  private long version;
  private long maxTransfer;
  private long inCapsule;
  private int queues;
  private String model = "";
  private long keepAlive;
  private long askAgain = Long.MAX_VALUE;
  private long readyBy;
  private long nextLook = Long.MAX_VALUE;
  private long lastKeepAlive;
  private boolean keepAlivePending;

  /** A controller behind an admin queue, with {@link #BYTES} of memory. */
  public Controller(
      ControllerSetup setup, Queue queue, MemorySegment data, ControllerEvents events) {
    this.setup = setup;
    this.queue = queue;
    this.data = data;
    this.events = events;
    keepAlive = setup.keepAlive();
  }

  /** How much memory it needs. */
  public static final int BYTES = Identify.LENGTH;

  /** The admin queue is there. */
  public void live(int number, long now) {
    this.number = number;
    nextLook = now + setup.pollInterval();
    lastKeepAlive = now;
    step(Step.CAPABILITIES, now);
  }

  private void step(Step next, long now) {
    step = next;
    switch (next) {
      case CAPABILITIES -> Sqe.propertyGet(take(), Sqe.CAP, true);
      case VERSION -> Sqe.propertyGet(take(), Sqe.VS, false);
      case ENABLE -> Sqe.propertySet(take(), Sqe.CC, ENABLE | (capabilities >>> 48 & 0xf) << 7);
      case READY -> Sqe.propertyGet(take(), Sqe.CSTS, false);
      case IDENTIFY -> identify(Sqe.CNS_CONTROLLER, 0);
      case QUEUES -> {
        long zeroBased = setup.queues() - 1;
        Sqe.setFeature(take(), Sqe.FEATURE_QUEUES, zeroBased << 16 | zeroBased);
      }
      case KEEP_ALIVE -> Sqe.getFeature(take(), Sqe.FEATURE_KEEP_ALIVE);
      default -> {
        return;
      }
    }
    queue.submit(taken, now);
  }

  private Slot take() {
    taken = queue.take(this);
    return taken;
  }

  private void identify(int kind, long namespace) {
    Sqe.identify(take(), kind, namespace);
    taken.data(false, data, 0, Identify.LENGTH);
  }

  /**
   * Looks a namespace up, once the controller is up; after those that were asked for before.
   *
   * @return false if too many wait
   */
  public boolean lookUp(long namespace, ControllerEvents.Lookup lookup, long now) {
    if (questions.size() == MAX_LOOKUPS) {
      return false;
    }
    questions.add(new Question(namespace, lookup));
    ask(now);
    return true;
  }

  private void ask(long now) {
    if (question == null && !questions.isEmpty() && step == Step.UP) {
      question = questions.remove();
      identify(Sqe.CNS_NAMESPACE, question.namespace);
      queue.submit(taken, now);
    }
  }

  /** A command of the admin queue ended. */
  public void completed(Object owner, int status, long result, long now) {
    if (step == Step.FAILED) {
      return;
    }
    boolean good = NvmeStatus.good(status);
    if (owner == KEEP_ALIVE) {
      keepAlivePending = false;
      // One that is not ready yet may refuse it.
      if (!good && step == Step.UP) {
        fail(NvmeStatus.ofAdmin(status, setup.where(), "Keep Alive"), now);
      }
    } else if (step == Step.UP) {
      answered(status, good, now);
    } else if (!good && step != Step.KEEP_ALIVE) {
      fail(NvmeStatus.ofAdmin(status, setup.where(), what()), now);
    } else {
      advance(good, result, now);
    }
  }

  private String what() {
    return switch (step) {
      case CAPABILITIES, VERSION, READY -> "Property Get";
      case ENABLE -> "Property Set of CC";
      case IDENTIFY -> "Identify Controller";
      case QUEUES -> "Set Features (number of queues)";
      default -> step.name();
    };
  }

  private void advance(boolean good, long result, long now) {
    switch (step) {
      case CAPABILITIES -> {
        capabilities = result;
        step(Step.VERSION, now);
      }
      case VERSION -> {
        version = result & 0xffff_ffffL;
        step(Step.ENABLE, now);
      }
      case ENABLE -> {
        readyBy = now + Math.max(1, capabilities >>> 24 & 0xff) * READY_UNIT;
        step(Step.READY, now);
      }
      case READY -> status(result, now);
      case IDENTIFY -> {
        int shift = Identify.maxTransferShift(data);
        int page = 12 + (int) (capabilities >>> 48 & 0xf);
        maxTransfer = shift == 0 || shift + page > 40 ? Long.MAX_VALUE : 1L << shift + page;
        inCapsule = Identify.inCapsule(data);
        model = Identify.model(data);
        step(Step.QUEUES, now);
      }
      case QUEUES -> {
        queues = (int) Math.min(result & 0xffff, result >>> 16 & 0xffff) + 1;
        queues = Math.min(queues, setup.queues());
        if (setup.keepAlive() > 0) {
          step(Step.KEEP_ALIVE, now);
        } else {
          up(now);
        }
      }
      case KEEP_ALIVE -> {
        long granted = (result & 0xffff_ffffL) * 1_000_000;
        if (good && granted > 0) {
          keepAlive = granted;
        }
        up(now);
      }
      default -> throw new IllegalStateException("nothing was asked in step " + step);
    }
  }

  private void status(long csts, long now) {
    if ((csts & 2) != 0) {
      fail(fault(FailureCode.REMOTE_DEVICE, "the controller says that it failed (CSTS.CFS)"), now);
    } else if ((csts & 1) != 0) {
      step(Step.IDENTIFY, now);
    } else if (now - readyBy >= 0) {
      fail(fault(FailureCode.UNREACHABLE, "not ready within the time that it told (CAP.TO)"), now);
    } else {
      askAgain = now + READY_POLL;
    }
  }

  private void up(long now) {
    step = Step.UP;
    int entries = (int) (capabilities & 0xffff) + 1;
    events.ready(
        new ControllerFacts(
            number, version, entries, maxTransfer, inCapsule, queues, keepAlive, model),
        now);
    ask(now);
  }

  private void answered(int status, boolean good, long now) {
    if (question.facts == null) {
      if (!good) {
        close(NvmeStatus.ofAdmin(status, setup.where(), "Identify Namespace"), now);
        return;
      }
      long blocks = Identify.blocks(data);
      int shift = Identify.blockShift(data);
      var name = "namespace " + question.namespace;
      if (blocks == 0) {
        close(fault(FailureCode.UNKNOWN_SEGMENT, "there is no " + name), now);
      } else if (Identify.metadata(data) != 0) {
        close(fault(FailureCode.UNSUPPORTED, name + " is formatted with metadata"), now);
      } else if (shift < 9 || shift > 20 || blocks < 0 || blocks > Long.MAX_VALUE >> shift) {
        var size = blocks + " blocks of 2^" + shift + " bytes";
        close(fault(FailureCode.PROTOCOL, name + " says that it has " + size), now);
      } else {
        var identity = Identify.identity(data);
        question.facts = new NamespaceFacts(question.namespace, blocks, 1 << shift, identity);
        identify(Sqe.CNS_DESCRIPTORS, question.namespace);
        queue.submit(taken, now);
      }
      return;
    }
    var lookup = question.lookup;
    var known = question.facts;
    question = null;
    var identity = good ? Identify.identity(data, known.identity()) : known.identity();
    lookup.found(
        new NamespaceFacts(known.namespace(), known.blocks(), known.blockSize(), identity), now);
    ask(now);
  }

  private void close(Fault fault, long now) {
    var lookup = question.lookup;
    question = null;
    lookup.refused(fault, now);
    ask(now);
  }

  private Fault fault(FailureCode code, String what) {
    return new Fault(Fault.Blame.REMOTE, code, Fault.Effect.NONE, setup.where() + ": " + what);
  }

  private void fail(Fault fault, long now) {
    step = Step.FAILED;
    events.failed(fault, now);
  }

  /** The admin queue is over: what was asked is answered. */
  public void over(Fault cause, long now) {
    step = Step.FAILED;
    if (question != null) {
      questions.addFirst(question);
      question = null;
    }
    while (!questions.isEmpty()) {
      questions.remove().lookup.refused(cause, now);
    }
  }

  /** Tells the controller to shut down, if it is up; its answer is not waited for. */
  public void shutDown(long now) {
    if (step == Step.UP && queue.room() > 0) {
      var slot = queue.take(KEEP_ALIVE);
      Sqe.propertySet(slot, Sqe.CC, ENABLE | (capabilities >>> 48 & 0xf) << 7 | NORMAL_SHUTDOWN);
      queue.submit(slot, now);
    }
  }

  /** When {@link #tick} has something to do. */
  public long nextDeadline() {
    return step == Step.FAILED ? Long.MAX_VALUE : Math.min(askAgain, nextLook);
  }

  /** Asks again whether it is ready; sends a Keep Alive if half of its time has passed. */
  public void tick(long now) {
    if (step == Step.FAILED) {
      return;
    }
    if (askAgain != Long.MAX_VALUE && now - askAgain >= 0) {
      askAgain = Long.MAX_VALUE;
      step(Step.READY, now);
    }
    if (nextLook != Long.MAX_VALUE && now - nextLook >= 0) {
      nextLook = now + setup.pollInterval();
      boolean enabled = step.compareTo(Step.READY) >= 0;
      boolean due = enabled && setup.keepAlive() > 0 && !keepAlivePending;
      long half = Math.min(setup.keepAlive(), keepAlive) / 2;
      if (due && now - lastKeepAlive >= half && queue.room() > 0) {
        lastKeepAlive = now;
        keepAlivePending = true;
        var slot = queue.take(KEEP_ALIVE);
        Sqe.keepAlive(slot);
        queue.submit(slot, now);
      }
    }
  }
}
