package dev.shunt.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Access;
import dev.shunt.api.Batch;
import dev.shunt.api.Delivery;
import dev.shunt.api.FailureCode;
import dev.shunt.api.Notification;
import dev.shunt.api.Outcome;
import dev.shunt.api.Request;
import dev.shunt.api.Segment;
import dev.shunt.api.ShuntException;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.LinkId;
import dev.shunt.api.spi.Refusal;
import dev.shunt.runtime.control.CallHandler;
import dev.shunt.runtime.control.core.FenceCodec;
import dev.shunt.runtime.control.core.FenceReply;
import dev.shunt.runtime.control.core.FenceRequest;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.memory.RegisteredBuffer;
import dev.shunt.runtime.observe.Change;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a node that closes tells its peers. The test holds some of its memory, so that it stands
 * where its lanes have ended and it cannot be closed yet.
 */
class ClosingNodeTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int SIZE = 8 << 20;
  private static final FenceRequest FENCE = new FenceRequest("tcp", new LinkId(7, 42), 9, true);

  private ShuntEngine a;
  private ShuntEngine b;
  private MemorySegment source;
  private MemorySegment remote;
  private Segment segment;
  private RegisteredBuffer held;
  private Thread closing;

  @BeforeEach
  void open() throws InterruptedException {
    a = engine();
    b = engine();
    source = a.arena().allocate(SIZE, 4096);
    remote = Arena.ofAuto().allocate(SIZE, 4096);
    a.register(source, Access.LOCAL);
    held = (RegisteredBuffer) b.register(remote, Access.REMOTE_READ_WRITE);
    assertTrue(held.hold());
    segment = a.openSegment(b.name(), SOON);
    closing = Thread.ofPlatform().unstarted(b::close);
  }

  @AfterEach
  void close() throws InterruptedException {
    a.close();
    assertTrue(closing.join(SOON), "it does not close");
  }

  @Test
  void aTransportThatIsClosedIsNotAskedForAFence() {
    var tasks = new ArrayList<Runnable>();
    var asked = new ArrayList<LinkId>();
    var answers = new ArrayList<FenceReply>();
    var desk =
        new FenceDesk(
            List.of(
                new FenceDesk.Party(
                    "tcp",
                    tasks::add,
                    (link, answer) -> {
                      asked.add(link);
                      answer.accept(true);
                    })));
    desk.serve(FENCE, answers::add);
    desk.close(false);
    tasks.getFirst().run();
    var refused = assertInstanceOf(FenceReply.Refused.class, answers.getFirst());
    assertEquals(Optional.of(Refusal.CLOSING), refused.code());
    assertEquals(List.of(), asked);
    ends();
  }

  /** What has nothing to do with the node that closes. */
  private void ends() {
    held.released();
    closing.start();
  }

  private static ShuntEngine engine() {
    return engine(Duration.ofSeconds(10));
  }

  private static ShuntEngine engine(Duration closeTimeout) {
    return (ShuntEngine)
        new RuntimeFactory()
            .builder()
            .set("transports.tcp.rails", List.of("127.0.0.1", "127.0.0.2"))
            .set("transports.rdma.enable", false)
            .set("transports.nof.enable", false)
            .set("close-timeout", closeTimeout)
            .open();
  }

  /** The answer to a call, or else nothing. */
  private Optional<byte[]> asked(int function, byte[] request) {
    var answer = new CompletableFuture<Optional<byte[]>>();
    a.node.control.call(
        List.of(b.name()),
        function,
        request,
        System.nanoTime() + TimeUnit.SECONDS.toNanos(1),
        new CallHandler() {
          @Override
          public void reply(byte[] attachment) {
            answer.complete(Optional.of(attachment));
          }

          @Override
          public void failed(Fault fault) {
            answer.complete(Optional.empty());
          }
        });
    return answer.join();
  }

  private Optional<FenceReply> fence() {
    var request = new FenceRequest("tcp", new LinkId(a.generation(), 42), b.generation(), true);
    return asked(Functions.FENCE, FenceCodec.write(request)).map(FenceCodec::readReply);
  }

  private Optional<String> descriptor() {
    return asked(Functions.GET_SEGMENT_DESC, new byte[0]).map(String::new);
  }

  /** Begins to close it, and waits until it says so. */
  private void closes() throws InterruptedException {
    closing.start();
    var until = System.nanoTime() + SOON.toNanos();
    try (var c = engine()) {
      while (true) {
        try {
          c.openSegment(b.name(), SOON);
        } catch (ShuntException refused) {
          assertEquals(FailureCode.CLOSED, refused.code(), refused.getMessage());
          assertTrue(refused.getMessage().contains("CLOSING: the node closes"));
          return;
        }
        // Who has met it already does not ask again.
        assertTrue(System.nanoTime() - until < 0, "it meets others for ever");
        c.node.peers.stale(c.node.peers.known().getFirst().remote(), "to meet it again");
      }
    }
  }

  @Test
  void aNodeThatClosesMeetsNobodyAndTakesNoNotification() throws InterruptedException {
    closes();
    var sent = a.send(segment, new Notification("too", "late"), SOON).await(SOON);
    var failure = assertInstanceOf(Delivery.NotDelivered.class, sent).failure();
    assertEquals(FailureCode.CLOSED, failure.code(), failure.message());
    held.released();
  }

  @Test
  void aNodeThatClosesFencesUntilAMomentAfterNothingOfItCanBeReached() throws InterruptedException {
    var described = descriptor().orElseThrow();
    closes();
    assertEquals(Optional.of(new FenceReply.Fenced()), fence());
    var refusals = new ArrayList<String>();
    var from = System.nanoTime();
    held.released();
    var last = from;
    for (var answer = fence(); answer.isPresent(); answer = fence()) {
      assertEquals(new FenceReply.Fenced(), answer.get());
      descriptor().ifPresent(text -> assertEquals(described, text, "none reads that it has none"));
      last = System.nanoTime();
      asked(Functions.BOOTSTRAP_RDMA, new byte[0]).map(String::new).ifPresent(refusals::add);
    }
    var whole = refusals.getLast();
    assertTrue(whole.contains("\"reply_msg\":\"CLOSING: the node closes\""), whole);
    assertTrue(whole.contains("\"qp_num\":[]"), whole);
    var lasted = Duration.ofNanos(last - from).toMillis();
    assertTrue(lasted >= 150, "it went after " + lasted + " ms");
    assertTrue(lasted < 3_000, "it stayed for " + lasted + " ms");
  }

  @Test
  void whatIsWrittenToANodeThatClosesEndsAndSettlesLongBeforeItsDeadline()
      throws InterruptedException {
    var requests = new ArrayList<Request>();
    for (int i = 0; i < 64; i++) {
      requests.add(Request.write(source, segment, remote.address()));
    }
    var transfer = a.submit(Batch.of(requests).within(Duration.ofMinutes(5)));
    closing.start();
    var outcomes = transfer.await(SOON).outcomes();
    for (var outcome : outcomes) {
      assertTrue(
          outcome instanceof Outcome.Completed
              || (outcome instanceof Outcome.Error(var failure)
                  && failure.code() == FailureCode.CLOSED),
          outcome.toString());
    }
    var failure = assertInstanceOf(Outcome.Error.class, outcomes.getLast()).failure();
    assertTrue(failure.message().startsWith(b.name() + " closes: "), failure.message());
    assertFalse(transfer.settled().await(SOON).quarantined(), "each old attempt is fenced");
    assertEquals(1, a.node.journal.count(Change.PEER_CLOSING), "it is told once");
    held.released();
  }

  @Test
  void aNodeWhoseMemoryIsHeldPromisesNothingOnceItsTransportsAreGone() {
    var c = engine(Duration.ofMillis(100));
    var buffer = c.register(Arena.ofAuto().allocate(64), Access.REMOTE_READ_WRITE);
    assertTrue(((RegisteredBuffer) buffer).hold());
    c.close();
    var answers = new ArrayList<FenceReply>();
    c.node.farewell.fences.serve(FENCE, answers::add);
    var refused = assertInstanceOf(FenceReply.Refused.class, answers.getFirst());
    assertEquals(Optional.of(Refusal.CLOSING), refused.code());
    ends();
  }
}
