/**
 * The place of descriptors kept in etcd, through its JSON gateway. It provides nothing yet, and is
 * in no image.
 */
module dev.shunt.metadata.etcd {
  requires dev.shunt.api;
  requires org.slf4j;
  requires tools.jackson.core;
}
