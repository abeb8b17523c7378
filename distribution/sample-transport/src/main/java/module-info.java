/** A transport between processes of one machine, over Unix domain sockets. */
module org.example.shunt.unix {
  requires dev.shunt.api;

  provides dev.shunt.api.spi.TransportProvider with
      org.example.shunt.unix.UnixProvider;
}
