package dev.shunt.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Takes the signals that ask a process to end, before the JVM does: shutdown hooks run all at once,
 * and the one of the JDK's logging silences whoever still has something to tell. The class that the
 * JDK has for it is no part of Java, so it is called by name; without it signals end the process as
 * they always do.
 */
final class Signals implements AutoCloseable {
  private static final Map<String, Integer> NUMBERS =
      new TreeMap<>(Map.of("TERM", 15, "INT", 2, "HUP", 1));

  private final List<Runnable> undo = new ArrayList<>();

  private Signals() {}

  /**
   * Takes them until it is closed.
   *
   * @param taker called with a signal's name, without SIG, and its number; on a thread of the JVM's
   */
  static Signals take(BiConsumer<String, Integer> taker) {
    var signals = new Signals();
    try {
      var type = Class.forName("sun.misc.Signal");
      var handlers = Class.forName("sun.misc.SignalHandler");
      var handle = type.getMethod("handle", type, handlers);
      var ignored = handlers.getField("SIG_IGN").get(null);
      for (var number : NUMBERS.entrySet()) {
        var signal = type.getConstructor(String.class).newInstance(number.getKey());
        var ours =
            Proxy.newProxyInstance(
                Signals.class.getClassLoader(),
                new Class<?>[] {handlers},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "handle" -> {
                        taker.accept(number.getKey(), number.getValue());
                        yield null;
                      }
                      case "equals" -> proxy == arguments[0];
                      case "hashCode" -> System.identityHashCode(proxy);
                      default -> "signals of shunt";
                    });
        var before = handle.invoke(null, signal, ours);
        Runnable back = () -> call(() -> handle.invoke(null, signal, before));
        if (before.equals(ignored)) {
          // As under nohup: whoever started this wants it to go on.
          back.run();
        } else {
          signals.undo.add(back);
        }
      }
    } catch (InvocationTargetException e) {
      // The JVM keeps them to itself (-Xrs).
      signals.close();
    } catch (ReflectiveOperationException e) {
      signals.close();
    }
    return signals;
  }

  private interface Reflective {
    void run() throws ReflectiveOperationException;
  }

  private static void call(Reflective call) {
    try {
      call.run();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a signal's handler could not be put back", e);
    }
  }

  /** Leaves them to who had them before. */
  @Override
  public void close() {
    undo.forEach(Runnable::run);
    undo.clear();
  }
}
