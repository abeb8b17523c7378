/** The engine: discovery, configuration, control plane, lanes, and the two ends of a transfer. */
module dev.shunt.runtime {
  requires transitive dev.shunt.api;
  requires org.slf4j;
  requires tools.jackson.core;

  uses dev.shunt.api.spi.FailoverProvider;
  uses dev.shunt.api.spi.MetadataProvider;
  uses dev.shunt.api.spi.TransportProvider;

  provides dev.shunt.api.EngineFactory with
      dev.shunt.runtime.engine.RuntimeFactory;
}
