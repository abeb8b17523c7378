/** Transfers over TCP streams. */
module dev.shunt.transport.tcp {
  requires dev.shunt.api;
  requires org.slf4j;

  provides dev.shunt.api.spi.TransportProvider with
      dev.shunt.transport.tcp.TcpTransportProvider;
}
