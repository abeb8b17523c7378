package dev.shunt.transport.tcp.links;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.transport.tcp.core.Interface;
import dev.shunt.transport.tcp.core.IpAddress;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RouteReaderTest {
  private static final int NEW_LINK = 16;
  private static final int DEL_LINK = 17;
  private static final int NEW_ADDRESS = 20;
  private static final int DEL_ADDRESS = 21;
  private static final int UP = 1;
  private static final int RUNNING = 0x40;
  private static final int TENTATIVE = 0x40;
  private static final int OPTIMISTIC = 0x04;
  private static final byte[] FOUR = {10, 0, 0, (byte) 200};
  private static final byte[] SIX = {(byte) 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7};

  private final ScriptedSocket socket = new ScriptedSocket();
  private final RouteReader reader = new RouteReader(socket);

  RouteReaderTest() {
    socket.links = List.of(ScriptedSocket.link(NEW_LINK, 4, "eth7", UP | RUNNING));
    socket.addresses = List.of(ScriptedSocket.address(NEW_ADDRESS, 4, FOUR, 0));
  }

  private List<Interface> news() {
    return reader.await(1_000_000_000).orElseThrow();
  }

  private boolean quiet() {
    return reader.await(1_000_000).isEmpty();
  }

  private static Interface eth7(boolean up, boolean running, byte[]... addresses) {
    return new Interface(
        4,
        "eth7",
        up,
        running,
        Arrays.stream(addresses).map(it -> IpAddress.of(it, 0, it.length).orElseThrow()).toList());
  }

  @Test
  void firstItTellsAllThatIs() {
    assertEquals(List.of(eth7(true, true, FOUR)), news());
    assertEquals(List.of(RouteMessages.GET_LINK, RouteMessages.GET_ADDRESS), socket.asked);
    assertTrue(quiet());
  }

  @Test
  void aLinkThatGoesDownAndComesBackIsTold() {
    news();
    socket.datagrams.add(ScriptedSocket.link(NEW_LINK, 4, "eth7", UP));
    assertEquals(List.of(eth7(true, false, FOUR)), news());
    socket.datagrams.add(ScriptedSocket.link(NEW_LINK, 4, "eth7", 0));
    assertEquals(List.of(eth7(false, false, FOUR)), news());
    socket.datagrams.add(ScriptedSocket.link(NEW_LINK, 4, "eth7", UP | RUNNING));
    assertEquals(List.of(eth7(true, true, FOUR)), news());
    socket.datagrams.add(ScriptedSocket.link(DEL_LINK, 4, "eth7", 0));
    assertEquals(List.of(), news());
  }

  @Test
  void addressesComeAndGoAndOneThatIsBeingTriedDoesNotCount() {
    news();
    socket.datagrams.add(ScriptedSocket.address(NEW_ADDRESS, 4, SIX, TENTATIVE));
    assertTrue(quiet());
    socket.datagrams.add(ScriptedSocket.address(NEW_ADDRESS, 4, SIX, TENTATIVE | OPTIMISTIC));
    assertEquals(List.of(eth7(true, true, FOUR, SIX)), news());
    socket.datagrams.add(ScriptedSocket.address(NEW_ADDRESS, 4, SIX, 0x08));
    assertEquals(List.of(eth7(true, true, FOUR)), news());
    socket.datagrams.add(ScriptedSocket.address(DEL_ADDRESS, 4, FOUR, 0));
    assertEquals(List.of(eth7(true, true)), news());
  }

  @Test
  void whatTheKernelDroppedIsReadAnew() {
    news();
    socket.links = List.of(ScriptedSocket.link(NEW_LINK, 4, "eth7", 0));
    socket.datagrams.add(ScriptedSocket.DROP);
    assertEquals(List.of(eth7(false, false, FOUR)), news());
    assertEquals(4, socket.asked.size());
  }

  @Test
  void aDatagramThatIsLongerThanTheRoomIsReadAnew() {
    news();
    socket.links = List.of(ScriptedSocket.link(NEW_LINK, 4, "eth7", 0));
    socket.datagrams.add(new byte[100_000]);
    assertEquals(List.of(eth7(false, false, FOUR)), news());
    assertEquals(4, socket.asked.size());
  }

  @Test
  void aDumpThatWasInterruptedIsAskedForAgain() {
    socket.dumpFlags = 2 | 0x10;
    assertEquals(List.of(eth7(true, true, FOUR)), news());
    assertEquals(3, socket.asked.size());
  }

  @Test
  void newsWithinADumpAreNotLost() {
    news();
    socket.datagrams.add(ScriptedSocket.DROP);
    // Comes before the answer to the dump, and is older than that.
    socket.datagrams.add(ScriptedSocket.link(NEW_LINK, 9, "eth9", UP));
    assertEquals(List.of(4, 9), news().stream().map(Interface::index).toList());
  }

  @Test
  void whatOtherProcessesSendIsPassedOver() {
    news();
    socket.datagrams.add(ScriptedSocket.FOREIGN);
    assertTrue(quiet());
  }

  @Test
  void aKernelThatRefusesOrSaysNothingIsTold() {
    socket.links = List.of(ScriptedSocket.message(2, new byte[] {-13, -1, -1, -1}));
    var refused = assertThrows(LinkException.class, this::news);
    assertTrue(refused.getMessage().contains("error 13"), refused.getMessage());
    socket.datagrams.clear();
    socket.silent = true;
    assertThrows(LinkException.class, this::news);
  }

  @Test
  void damagedMessagesEndTheReadingAndNothingElse() {
    long seed = System.nanoTime();
    var random = new SplittableRandom(seed);
    news();
    for (int i = 0; i < 20_000; i++) {
      var message =
          random.nextBoolean()
              ? ScriptedSocket.link(NEW_LINK, 5, "eth8", UP)
              : ScriptedSocket.address(NEW_ADDRESS, 5, SIX, 0);
      for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
        message[random.nextInt(message.length)] ^= (byte) (1 << random.nextInt(8));
      }
      socket.datagrams.add(Arrays.copyOf(message, random.nextInt(message.length + 1)));
      try {
        reader.await(0);
      } catch (LinkException e) {
        throw new AssertionError("seed " + seed, e);
      }
      socket.datagrams.clear();
    }
    assertFalse(socket.closed);
  }
}
