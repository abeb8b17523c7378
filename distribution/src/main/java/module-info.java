/** The command line. */
module dev.shunt.cli {
  requires dev.shunt.api;
  requires dev.shunt.runtime;
  requires HdrHistogram;
  requires info.picocli;
  requires java.logging;
  requires jdk.jfr;
  requires org.slf4j;

  opens dev.shunt.cli to
      info.picocli;
}
