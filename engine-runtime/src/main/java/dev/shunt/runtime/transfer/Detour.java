package dev.shunt.runtime.transfer;

import dev.shunt.api.spi.RegionKey;
import dev.shunt.runtime.transfer.core.RailOrder;
import dev.shunt.runtime.transfer.core.RequestState;
import java.util.Optional;

/** The other ways to a remote, for what one of them does not carry any more. Called on lanes. */
public interface Detour {
  /** A remote that only one transport reaches. */
  Detour NONE =
      new Detour() {
        @Override
        public int left(RequestState request) {
          return 0;
        }

        @Override
        public boolean good() {
          return false;
        }

        @Override
        public Optional<Turn> next(RequestState request) {
          return Optional.empty();
        }
      };

  /**
   * How many ways there are that a request did not go by.
   *
   * @param request null for one that went by a single way, whichever
   */
  int left(RequestState request);

  /** Whether there is another way of which nothing bad is known. */
  boolean good();

  /**
   * The remote's keys for a request's memory by the way that it goes by, as they are known by now;
   * null if that memory is not there, or not for that, any more.
   */
  default long[] keys(RequestState request) {
    return null;
  }

  /** By which way a request goes on, if there is one left that reaches its memory on both sides. */
  Optional<Turn> next(RequestState request);

  /**
   * A way.
   *
   * @param place of the way among those to the remote
   * @param localRails the order of our rails for its local memory; null if all are alike
   * @param remoteRails the order of the remote's for its remote memory; null if all are alike
   * @param localKeys of the request's local registration, by local rail
   * @param remoteKeys of its remote buffer, by remote rail
   */
  record Turn(
      Lane lane,
      LaneRoute route,
      int place,
      RailOrder localRails,
      RailOrder remoteRails,
      RegionKey[] localKeys,
      long[] remoteKeys) {}
}
