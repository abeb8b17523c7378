package dev.shunt.runtime.transport;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.RailLoss;
import dev.shunt.runtime.observe.Change;
import java.util.TreeMap;

/** Takes what a transport tells of its rails to the steward and the descriptor. */
final class RailNews implements RailListener {
  private final String transport;
  private final RailBook book;
  private final NodeServices node;

  RailNews(String transport, RailBook book, NodeServices node) {
    this.transport = transport;
    this.book = book;
    this.node = node;
  }

  @Override
  public void inactive(Rail rail, RailLoss loss, Fault cause) {
    book.inactive(rail.index(), loss, cause.text());
  }

  @Override
  public void returned(Rail rail) {
    book.returned(rail.index());
  }

  @Override
  public void changed(Rail rail) {
    var address = new TreeMap<>(rail.attributes()).toString();
    node.journal().rail(Change.RAIL_READDRESSED, transport, rail.name(), address);
    node.descriptorChanged();
  }
}
