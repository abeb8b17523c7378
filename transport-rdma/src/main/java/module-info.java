/**
 * Transfers over RDMA verbs, by the foreign function interface. Exports nothing: it is reached as a
 * service.
 */
module dev.shunt.transport.rdma {
  requires dev.shunt.api;
  requires jdk.jfr;
  requires org.slf4j;
  requires tools.jackson.core;

  provides dev.shunt.api.spi.TransportProvider with
      dev.shunt.transport.rdma.RdmaTransportProvider;
}
