package dev.shunt.runtime.transport;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.runtime.observe.Change;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes what a transport tells of its rails to the steward, the descriptor and the journal. */
final class RailNews implements RailListener {
  private static final Logger LOG = LoggerFactory.getLogger(RailNews.class);

  private final String transport;
  private final Steward.PathBook paths;
  private final NodeServices node;

  RailNews(String transport, Steward.PathBook paths, NodeServices node) {
    this.transport = transport;
    this.paths = paths;
    this.node = node;
  }

  @Override
  public void inactive(Rail rail, RailLoss loss, Fault cause) {
    LOG.warn("{}: rail {} is inactive: {}", transport, rail.name(), cause.text());
    node.journal().rail(Change.RAIL_INACTIVE, transport, rail.name(), cause.text());
    paths.rail(rail.index(), false);
    node.descriptorChanged();
  }

  @Override
  public void returned(Rail rail) {
    LOG.info("{}: rail {} is back", transport, rail.name());
    node.journal().rail(Change.RAIL_RETURNED, transport, rail.name(), "");
    paths.rail(rail.index(), true);
    node.descriptorChanged();
  }

  @Override
  public void changed(Rail rail) {
    node.descriptorChanged();
  }
}
