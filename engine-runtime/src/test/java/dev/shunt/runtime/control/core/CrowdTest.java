package dev.shunt.runtime.control.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CrowdTest {
  private static final long SECOND = 1_000_000_000L;

  private final Crowd<One> crowd = new Crowd<>(8);
  private long now = 100 * SECOND;

  private record One(String place, int number, boolean proven, boolean busy, long since)
      implements Crowd.Seat {}

  private int count;

  private One one(String place, boolean proven, boolean busy, long age) {
    return new One(place, count++, proven, busy, now - age);
  }

  private One stays(One one) {
    assertEquals(Optional.empty(), crowd.add(one, now));
    return one;
  }

  private One victim(One fresh) {
    var gone = crowd.add(fresh, now).orElseThrow();
    crowd.remove(gone);
    return gone;
  }

  @Test
  void whoStandsStillBeforeItsFirstRequestGoesFirstAndTheOldestOfThem() {
    stays(one("a", true, false, 50 * SECOND));
    stays(one("a", true, true, 20 * SECOND));
    stays(one("a", false, true, 2 * SECOND));
    var oldest = stays(one("a", false, true, 3 * SECOND));
    for (int i = 0; i < 4; i++) {
      stays(one("a", true, false, 0));
    }
    assertEquals(oldest, victim(one("a", false, false, 0)));
    assertEquals(2 * SECOND, now - victim(one("a", true, false, 0)).since());
    assertEquals(20 * SECOND, now - victim(one("a", true, false, 0)).since(), "half a later one");
  }

  @Test
  void newOnesBeyondAQuarterGoBeforeThoseThatRest() {
    for (int i = 0; i < 6; i++) {
      stays(one("a", true, false, 50 * SECOND));
    }
    stays(one("a", false, true, 200));
    stays(one("a", false, true, 100));
    for (int i = 0; i < 1000; i++) {
      now += 10;
      var gone = victim(one("a", false, true, 0));
      assertTrue(!gone.proven(), "flood " + i);
    }
  }

  @Test
  void aCrowdThatRestsLetsANewOneBringItsRequest() {
    for (int i = 0; i < 8; i++) {
      stays(one("a", true, false, i));
    }
    var good = one("a", false, false, 0);
    assertTrue(victim(good).proven());
    assertTrue(victim(one("a", true, false, 0)) != good);
  }

  @Test
  void aPlaceThatHasMoreThanItsShareLosesItsOwnFirst() {
    for (int i = 0; i < 7; i++) {
      stays(one("many", true, true, i));
    }
    var lone = stays(one("lone", true, false, 60 * SECOND));
    var gone = victim(one("other", false, false, 0));
    assertEquals("many", gone.place());
    assertEquals("many", victim(one("many", false, false, 0)).place());
    assertTrue(crowd.all().contains(lone));
  }

  @Test
  void aFloodFromManyPlacesCostsAPeerWithSeveralConnectionsNone() {
    for (int i = 0; i < 2; i++) {
      stays(one("good", true, false, 60 * SECOND));
      stays(one("good", true, true, 60 * SECOND));
    }
    for (int i = 0; i < 4; i++) {
      stays(one("bad" + i, false, true, 10));
    }
    for (int i = 0; i < 1000; i++) {
      now += 10;
      var gone = victim(one("worse" + i, false, true, 0));
      assertTrue(!gone.proven(), "flood " + i);
    }
  }

  @Test
  void aNewcomerIsNotPushedOutByTheFloodOfAnother() {
    for (int i = 0; i < 5; i++) {
      stays(one("peer" + i, true, false, 60 * SECOND));
    }
    var newcomer = stays(one("newcomer", false, false, SECOND / 2));
    stays(one("flood", false, false, 20));
    stays(one("flood", false, false, 10));
    for (int i = 0; i < 1000; i++) {
      assertEquals("flood", victim(one("flood", false, false, 0)).place(), "" + i);
    }
    assertTrue(crowd.all().contains(newcomer));
  }

  @Test
  void aPeerThatStallsWithinARequestStaysWhereOthersHaveMoreThanTheirShare() {
    for (int i = 0; i < 7; i++) {
      stays(one("many", true, false, i));
    }
    stays(one("stalls", true, true, 20 * SECOND));
    assertEquals("many", victim(one("many", false, false, 0)).place());
  }

  @Test
  void whereAllAreBusyAndMoveTheNewOneGoes() {
    for (int i = 0; i < 8; i++) {
      stays(one("a", true, true, 1000));
    }
    var fresh = one("a", false, false, 0);
    assertEquals(fresh, victim(fresh));
    now += SECOND / 2;
    assertTrue(victim(one("a", false, false, 0)).proven(), "but not where none moved for a while");
  }

  @Test
  void anOwnerOfANetworkOfIpv6IsOnePlace() throws Exception {
    assertEquals(place("2001:db8::1"), place("2001:db8::2:3:4"));
    assertTrue(!place("2001:db8::1").equals(place("2001:db8:0:1::1")));
    assertTrue(!place("10.0.0.1").equals(place("10.0.0.2")));
    assertEquals(place("10.0.0.1"), place("10.0.0.1"));
  }

  private static Place place(String address) throws Exception {
    return Place.of(InetAddress.getByName(address).getAddress());
  }
}
