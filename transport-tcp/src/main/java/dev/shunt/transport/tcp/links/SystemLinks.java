package dev.shunt.transport.tcp.links;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses how this machine's interfaces are watched. */
final class SystemLinks {
  private static final Logger LOG = LoggerFactory.getLogger(SystemLinks.class);

  private final boolean kernel;
  private final long pollInterval;
  private boolean told;

  SystemLinks(boolean kernel, long pollInterval) {
    this.kernel = kernel;
    this.pollInterval = pollInterval;
  }

  /** By the kernel's messages if they are to be had, else by looking. May take a while. */
  LinkReader open() {
    if (!kernel) {
      return new PolledReader(pollInterval);
    }
    try {
      return new RouteReader(FfmRouteSocket.open());
    } catch (LinkException e) {
      if (!told) {
        told = true;
        LOG.warn(
            "links are looked at every {} ms instead of being told by the kernel: {}",
            pollInterval / 1_000_000,
            e.getMessage());
      }
      return new PolledReader(pollInterval);
    }
  }
}
