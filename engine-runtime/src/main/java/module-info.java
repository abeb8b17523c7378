/** The engine: discovery, configuration, control plane, lanes, and the two ends of a transfer. */
@SuppressWarnings("module")
module dev.shunt.runtime {
  requires transitive dev.shunt.api;
  requires jdk.jfr;
  requires org.slf4j;
  requires tools.jackson.core;

  // For the command line, which shows what an engine would start with, and looks at those that run.
  exports dev.shunt.runtime.admin to
      dev.shunt.cli;
  exports dev.shunt.runtime.config to
      dev.shunt.cli;
  exports dev.shunt.runtime.json to
      dev.shunt.cli;
  exports dev.shunt.runtime.discovery to
      dev.shunt.cli;

  uses dev.shunt.api.spi.FailoverProvider;
  uses dev.shunt.api.spi.MetadataProvider;
  uses dev.shunt.api.spi.TransportProvider;

  provides dev.shunt.api.EngineFactory with
      dev.shunt.runtime.engine.RuntimeFactory;
  provides dev.shunt.api.spi.TransportProvider with
      dev.shunt.runtime.plain.PlainTransportProvider;
}
