package dev.shunt.runtime.transfer.core;

import dev.shunt.api.Failure;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of a request's attempts, for its failure: those of slices that are no more, and those
 * of slices that are. A slice's own are told first come, and no more than {@link #MOST} in all; how
 * many are left out is told instead.
 */
final class Past {
  /** Attempts that a failure tells. */
  static final int MOST = 64;

  /** Attempts that are kept of slices that are no more: a failing one has room beside them. */
  private static final int KEPT = MOST / 2;

  private final ArrayList<Failure.Attempt> kept = new ArrayList<>(2);
  private int more;

  void add(List<Failure.Attempt> attempts) {
    for (int i = 0; i < attempts.size(); i++) {
      if (kept.size() < KEPT) {
        kept.add(attempts.get(i));
      } else {
        more++;
      }
    }
  }

  /**
   * The failure of a request, with all that is known of its attempts.
   *
   * @param first whose attempts are told before those of other slices; may be null
   */
  static Failure complete(Failure failure, RequestState request, PooledSlice first) {
    var told = new ArrayList<Failure.Attempt>();
    int missing = 0;
    if (request.past != null) {
      told.addAll(request.past.kept);
      missing = request.past.more;
    }
    if (first != null) {
      missing += tell(told, first);
    }
    for (var slice = request.first; slice != null; slice = slice.nextOfRequest) {
      if (slice != first) {
        missing += tell(told, slice);
      }
    }
    var message = failure.message();
    return new Failure(
        failure.code(),
        missing == 0 ? message : message + "; " + missing + " attempts more are not told",
        failure.remoteEffect(),
        failure.rejection(),
        told);
  }

  private static int tell(ArrayList<Failure.Attempt> told, PooledSlice slice) {
    if (slice.history == null) {
      return 0;
    }
    int room = Math.min(slice.history.size(), MOST - told.size());
    told.addAll(slice.history.subList(0, room));
    return slice.history.size() - room;
  }
}
