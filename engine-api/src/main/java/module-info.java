/** What applications and plug-ins compile against: no thread and no I/O of its own. */
module dev.shunt.api {
  requires transitive typesafe.config;

  exports dev.shunt.api;
  exports dev.shunt.api.spi;

  uses dev.shunt.api.EngineFactory;
}
