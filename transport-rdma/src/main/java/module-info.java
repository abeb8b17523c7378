/** Transfers over RDMA verbs, by the foreign function interface. */
module dev.shunt.transport.rdma {
  requires dev.shunt.api;
  requires org.slf4j;
}
