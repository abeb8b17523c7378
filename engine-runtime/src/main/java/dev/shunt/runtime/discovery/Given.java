package dev.shunt.runtime.discovery;

import dev.shunt.api.spi.FailoverProvider;
import dev.shunt.api.spi.MetadataProvider;
import dev.shunt.api.spi.TransportProvider;
import java.util.List;
import java.util.Optional;

/** Providers given in code. They take the place of those that are found under the same id. */
public record Given(
    List<TransportProvider> transports,
    List<MetadataProvider> metadata,
    Optional<FailoverProvider> failover) {
  /** None. */
  public static final Given NONE = new Given(List.of(), List.of(), Optional.empty());

  /** Copies the lists. */
  public Given {
    transports = List.copyOf(transports);
    metadata = List.copyOf(metadata);
  }

  List<Candidate> candidates() {
    var all = new java.util.ArrayList<Candidate>();
    transports.forEach(p -> all.add(Candidate.given(Kind.TRANSPORT, p)));
    metadata.forEach(p -> all.add(Candidate.given(Kind.METADATA, p)));
    failover.ifPresent(p -> all.add(Candidate.given(Kind.FAILOVER, p)));
    return all;
  }
}
