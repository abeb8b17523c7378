/** Descriptors asked of the peers themselves; there is no registry. */
module dev.shunt.metadata.p2p {
  requires dev.shunt.api;
  requires org.slf4j;
}
