/** Transfers to storage targets over NVMe over Fabrics. */
module dev.shunt.transport.nof {
  requires dev.shunt.api;
  requires org.slf4j;
}
