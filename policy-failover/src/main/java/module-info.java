/** Decides what happens when a rail, a peer or a target fails; it acts on nothing itself. */
module dev.shunt.policy.failover {
  requires dev.shunt.api;

  provides dev.shunt.api.spi.FailoverProvider with
      dev.shunt.policy.failover.ShuntFailoverProvider;
}
