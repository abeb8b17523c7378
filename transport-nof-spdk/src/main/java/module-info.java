/** Transfers to storage targets over NVMe over Fabrics. */
module dev.shunt.transport.nof {
  requires dev.shunt.api;
  requires org.slf4j;
  requires typesafe.config;

  provides dev.shunt.api.spi.TransportProvider with
      dev.shunt.transport.nof.NofTransportProvider;
}
