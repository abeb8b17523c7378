package dev.shunt.runtime.transport;

import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Rail;
import dev.shunt.api.spi.RailListener;
import dev.shunt.api.spi.RailLoss;

/** Takes what a transport tells of its rails to the steward and the descriptor. */
final class RailNews implements RailListener {
  private final RailBook book;
  private final NodeServices node;

  RailNews(RailBook book, NodeServices node) {
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
    node.descriptorChanged();
  }
}
