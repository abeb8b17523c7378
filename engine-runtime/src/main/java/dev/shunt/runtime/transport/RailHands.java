package dev.shunt.runtime.transport;

/** What is done with a transport's rails: its lanes, its checks and the descriptor hear of it. */
record RailHands(Steward.PathBook paths, RailChecks checks, NodeServices node)
    implements RailBook.Hands {
  @Override
  public void use(int rail, boolean active) {
    paths.use(rail, active);
  }

  @Override
  public void check(int rail, long number, boolean anew) {
    checks.begin(rail, number, anew);
  }

  @Override
  public void publish() {
    node.descriptorChanged();
  }
}
