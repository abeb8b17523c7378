package dev.shunt.runtime.transfer.core;

import dev.shunt.api.Failure;
import dev.shunt.api.FailureCode;
import java.util.ArrayList;

/**
 * Requests of a flow that go on by another transport, each as a whole: when all that was posted of
 * it here has been let go of, and nothing of it can land any more. Until then they are the flow's,
 * and may end here as any other.
 */
final class Moves {
  private final String remote;
  private final FlowPort port;
  private final Tally counters;
  private final Endings endings;
  private final StaleLinks stale;
  private final LateWrites late;
  private final SlicePool pool;
  private final ArrayList<Move> moves = new ArrayList<>();
  private final ArrayList<RequestState> ready = new ArrayList<>();

  private record Move(Part part, int use, RequestState request) {
    boolean open() {
      return part.use == use && !request.ended;
    }
  }

  Moves(
      String remote,
      FlowPort port,
      Tally counters,
      Endings endings,
      StaleLinks stale,
      LateWrites late,
      SlicePool pool) {
    this.remote = remote;
    this.port = port;
    this.counters = counters;
    this.endings = endings;
    this.stale = stale;
    this.late = late;
    this.pool = pool;
  }

  boolean isEmpty() {
    return moves.isEmpty();
  }

  /** A request is to go on by another transport. */
  void begin(Part part, RequestState request) {
    if (!request.moving) {
      request.moving = true;
      moves.add(new Move(part, part.use, request));
    }
  }

  /** Ends those that have not gone. */
  void endAll(Failure failure) {
    for (var move : moves) {
      if (move.open()) {
        endings.fail(move.part, move.request, failure);
      }
      leave(move);
    }
    moves.clear();
  }

  /** One that ended before it went: what it left behind may still land. */
  private void leave(Move move) {
    if (move.part.use == move.use && move.request.stale != null) {
      late.ended(move.part, move.request, pool.take());
    }
  }

  /** Hands over what can go. */
  int pump(long now) {
    int done = 0;
    for (int i = 0; i < moves.size(); ) {
      var move = moves.get(i);
      if (!move.open()) {
        leave(move);
        moves.remove(i);
      } else if (ready(move)) {
        done += hand(move.part, i);
      } else {
        i++;
      }
    }
    return done;
  }

  private boolean ready(Move move) {
    return move.request.live == 0 && stale.over(move.request);
  }

  /** All of a part's that can go, go together. */
  private int hand(Part part, int from) {
    for (int i = from; i < moves.size(); ) {
      var move = moves.get(i);
      if (move.part == part && move.open() && ready(move)) {
        ready.add(move.request);
        moves.remove(i);
      } else {
        i++;
      }
    }
    var count = ready.size();
    port.move(part, ready);
    for (int i = 0; i < count; i++) {
      var request = ready.get(i);
      if (request.moved()) {
        counters.add(Counter.REQUESTS_MOVED, 1);
        if (stale.outwaited(request)) {
          counters.add(Counter.UNFENCED, 1);
          port.unfenced(request.length);
        }
        endings.moved(part, request);
      } else {
        endings.fail(
            part,
            request,
            Failure.of(
                FailureCode.NO_RAIL,
                remote + ": no path of this transport is left, and no other reaches that memory"));
        leave(new Move(part, part.use, request));
      }
    }
    ready.clear();
    return count;
  }
}
