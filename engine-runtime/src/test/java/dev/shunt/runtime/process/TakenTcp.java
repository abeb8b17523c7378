package dev.shunt.runtime.process;

import dev.shunt.api.spi.Capability;
import dev.shunt.api.spi.Channel;
import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.LaneListener;
import dev.shunt.api.spi.Transport;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.TransportProvider;
import dev.shunt.transport.tcp.TcpTransport;
import dev.shunt.transport.tcp.TcpTransportProvider;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** TCP that a test can reach for, and that may lie about fences, and keep slices to itself. */
final class TakenTcp implements TransportProvider {
  private static final int LANES = 2;

  private final TcpTransportProvider inner = new TcpTransportProvider();
  private final boolean fences;
  private final Predicate<Capability> has;
  private final Map<Channel, Channel> shown = new ConcurrentHashMap<>();
  private final AtomicInteger posted = new AtomicInteger();
  private volatile TransportContext context;
  private volatile TcpTransport transport;

  /** So many slices are posted from one that it keeps to itself to the next; none where it is 0. */
  volatile int swallowsEach;

  /**
   * Makes one.
   *
   * @param fences whether those that it says to have sent are sent
   * @param has the capabilities that it knows of
   */
  TakenTcp(boolean fences, Predicate<Capability> has) {
    this.fences = fences;
    this.has = has;
  }

  @Override
  public String id() {
    return inner.id();
  }

  @Override
  public int spiVersion() {
    return inner.spiVersion();
  }

  @Override
  public String version() {
    return inner.version();
  }

  @Override
  public List<Capability> capabilities() {
    return inner.capabilities().stream().filter(has).toList();
  }

  @Override
  public Transport create(TransportContext lent) {
    context = lent;
    transport = (TcpTransport) inner.create(lent);
    return lying(transport);
  }

  /** A rail reads no more, or again; comes back when that is so. */
  void hold(int rail, boolean hold) throws InterruptedException {
    transport.holdReading(rail, hold);
    var turns = new CountDownLatch(LANES);
    for (int lane = 0; lane < LANES; lane++) {
      context.lane(lane).execute(turns::countDown);
    }
    if (!turns.await(10, TimeUnit.SECONDS)) {
      throw new IllegalStateException("a lane does not take its turn");
    }
  }

  private Transport lying(Transport real) {
    return proxy(
        Transport.class,
        (method, arguments) ->
            switch (method.getName()) {
              case "fence" -> fences ? call(method, real, arguments) : answer(arguments[1]);
              case "openLane" -> real.openLane((int) arguments[0], heard(arguments[1]));
              default -> call(method, real, arguments);
            });
  }

  @SuppressWarnings("unchecked")
  private static Object answer(Object to) {
    ((Consumer<Boolean>) to).accept(true);
    return null;
  }

  private LaneListener heard(Object listener) {
    return proxy(
        LaneListener.class,
        (method, arguments) -> {
          switch (method.getName()) {
            case "channelUp" -> {
              var channel = lying((Channel) arguments[1]);
              shown.put((Channel) arguments[1], channel);
              ((LaneListener) listener).channelUp((ConnectRequest) arguments[0], channel);
              return null;
            }
            case "channelDown" -> arguments[0] = shown.remove((Channel) arguments[0]);
            default -> {}
          }
          return call(method, listener, arguments);
        });
  }

  private Channel lying(Channel real) {
    return proxy(
        Channel.class,
        (method, arguments) ->
            switch (method.getName()) {
              case "fence" -> fences ? call(method, real, arguments) : true;
              case "post" -> swallows() ? null : call(method, real, arguments);
              default -> call(method, real, arguments);
            });
  }

  private boolean swallows() {
    return swallowsEach > 0 && posted.incrementAndGet() % swallowsEach == 0;
  }

  private interface Handler {
    Object handle(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    InvocationHandler each =
        (self, method, arguments) ->
            switch (method.getName()) {
              case "equals" -> self == arguments[0];
              case "hashCode" -> System.identityHashCode(self);
              default -> handler.handle(method, arguments);
            };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, each));
  }

  private static Object call(Method method, Object on, Object[] arguments) throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
