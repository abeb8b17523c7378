/** Descriptors kept in etcd, through its JSON gateway. */
module dev.shunt.metadata.etcd {
  requires dev.shunt.api;
  requires org.slf4j;
  requires tools.jackson.core;
}
