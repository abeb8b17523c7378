/** Descriptors asked of the peers themselves; there is no registry. */
module dev.shunt.metadata.p2p {
  requires dev.shunt.api;

  provides dev.shunt.api.spi.MetadataProvider with
      dev.shunt.metadata.p2p.P2pMetadataProvider;
}
