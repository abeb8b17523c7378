package dev.shunt.cli;

import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Lays out log records as before, with text of others in them made {@linkplain Printable fit}. */
final class LogText extends Formatter {
  private final Formatter layout;

  private LogText(Formatter layout) {
    this.layout = layout;
  }

  /** Does it for all that a logger's handlers write. */
  static void guard(Logger logger) {
    for (var handler : logger.getHandlers()) {
      var layout = handler.getFormatter();
      if (layout != null && !(layout instanceof LogText)) {
        handler.setFormatter(new LogText(layout));
      }
    }
  }

  @Override
  public String format(LogRecord event) {
    if (event.getMessage() != null && event.getParameters() == null) {
      event.setMessage(Printable.of(event.getMessage()));
    }
    return Printable.lines(layout.format(event));
  }

  @Override
  public String getHead(Handler handler) {
    return layout.getHead(handler);
  }

  @Override
  public String getTail(Handler handler) {
    return layout.getTail(handler);
  }
}
