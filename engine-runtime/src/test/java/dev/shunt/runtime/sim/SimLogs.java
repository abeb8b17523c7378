package dev.shunt.runtime.sim;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.simple.SimpleLoggerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The log of this module's tests. On a thread that runs a world an error is told to that world,
 * which fails by it, and the rest is dropped; elsewhere all goes where it always goes.
 */
public final class SimLogs implements SLF4JServiceProvider, ILoggerFactory {
  private static final ThreadLocal<Ear> EAR = new ThreadLocal<>();

  private final ConcurrentMap<String, Logger> loggers = new ConcurrentHashMap<>();
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();
  private SimpleLoggerFactory ordinary;

  /** Who listens on a thread, and from what level on. */
  private record Ear(Level from, BiConsumer<Level, String> lines) {}

  /** For SLF4J. */
  public SimLogs() {}

  /** Listens on this thread, instead of the ordinary log. */
  static void listen(Level from, BiConsumer<Level, String> lines) {
    EAR.set(new Ear(from, lines));
  }

  /** Listens no longer. */
  static void leave() {
    EAR.remove();
  }

  @Override
  public void initialize() {
    ordinary = new SimpleLoggerFactory();
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return this;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public Logger getLogger(String name) {
    return loggers.computeIfAbsent(name, n -> new Line(n, ordinary.getLogger(n)));
  }

  private static final class Line extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    private final transient Logger ordinary;

    Line(String name, Logger ordinary) {
      this.name = name;
      this.ordinary = ordinary;
    }

    private boolean enabled(Level level) {
      var ear = EAR.get();
      return ear == null ? ordinary.isEnabledForLevel(level) : level.toInt() >= ear.from().toInt();
    }

    @Override
    public boolean isTraceEnabled() {
      return enabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
      return enabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
      return enabled(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
      return enabled(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
      return enabled(Level.ERROR);
    }

    @Override
    protected String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level, Marker marker, String pattern, Object[] arguments, Throwable thrown) {
      var ear = EAR.get();
      if (ear == null) {
        ordinary.atLevel(level).setCause(thrown).log(pattern, arguments);
        return;
      }
      var text = MessageFormatter.basicArrayFormat(pattern, arguments);
      ear.lines().accept(level, thrown == null ? text : text + ": " + trace(thrown));
    }

    private static String trace(Throwable thrown) {
      var out = new java.io.StringWriter();
      thrown.printStackTrace(new java.io.PrintWriter(out));
      return out.toString();
    }
  }
}
