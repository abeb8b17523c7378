package dev.shunt.runtime.config;

import dev.shunt.api.ShuntException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;

/** Why the control plane cannot listen where it is configured to. */
public final class Listening {
  private Listening() {}

  /**
   * What to throw when the first of the addresses could not be had.
   *
   * @param refused as the operating system was understood
   * @return the key that is wrong and what would be right, where it is the address or the port that
   *     the system refuses; otherwise what was given
   */
  public static ShuntException refused(EngineConfig config, ShuntException refused) {
    if (!(refused.getCause() instanceof BindException cause)) {
      return refused;
    }
    var address = config.control().bind().getFirst();
    var port = config.control().port();
    var reason = String.valueOf(cause.getMessage());
    var problems = new ArrayList<Problem>();
    var values = new Values(config.merged(), problems);
    if (reason.contains("in use")) {
      values.wrong(
          "control.port", port + " is taken at " + address + "; right is a free one, or 0 for any");
    } else if (reason.contains("denied")) {
      values.wrong(
          "control.port",
          port + " may not be listened on by this user; right is 1024 and above, or 0 for any");
    } else {
      values.wrong(
          "control.bind",
          address
              + " cannot be listened on ("
              + reason
              + "); right are addresses of this machine, such as 127.0.0.1");
    }
    return new InvalidConfigurationException(List.copyOf(problems), refused);
  }
}
