/** Transfers over TCP streams. */
module dev.shunt.transport.tcp {
  requires dev.shunt.api;
  requires org.slf4j;
}
