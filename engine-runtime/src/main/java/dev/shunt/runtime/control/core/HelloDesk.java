package dev.shunt.runtime.control.core;

import dev.shunt.api.spi.Refusal;
import dev.shunt.api.spi.Verdict;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answering side of Hello. It remembers what each asking node offered, by name and generation,
 * and retires nothing: anybody can say Hello under any name, and only our own Hello to the address
 * on record tells who a node is.
 */
public final class HelloDesk {
  private final long generation;
  private final Offer offer;
  private final List<String> required;
  private final int most;
  private final Map<Guest, Verdict> guests = new LinkedHashMap<>();

  private record Guest(String name, long generation) {}

  /**
   * A desk that met nobody.
   *
   * @param required ids without which a peer is refused
   * @param most how many nodes it remembers; the one met longest ago is forgotten
   */
  public HelloDesk(long generation, Offer offer, List<String> required, int most) {
    this.generation = generation;
    this.offer = offer;
    this.required = List.copyOf(required);
    this.most = most;
  }

  /** Answers a Hello. */
  public HelloReply answer(Hello hello) {
    if (meansAnother(hello)) {
      return new HelloReply.StaleGeneration(Hello.VERSION, generation);
    }
    var verdict = Negotiation.verdict(offer, hello.offer());
    var missing = Negotiation.missing(required, offer, hello.offer(), verdict);
    if (missing.isPresent()) {
      return refused(verdict, missing.get(), Refusal.CAPABILITY);
    }
    remember(new Guest(hello.sender(), hello.generation()), verdict);
    return new HelloReply.Ok(Hello.VERSION, generation, offer);
  }

  /** Answers a Hello while this node closes: it meets nobody any more. */
  public HelloReply closing(Hello hello) {
    if (meansAnother(hello)) {
      return new HelloReply.StaleGeneration(Hello.VERSION, generation);
    }
    return refused(Negotiation.verdict(offer, hello.offer()), "the node closes", Refusal.CLOSING);
  }

  private boolean meansAnother(Hello hello) {
    return hello.expected() != 0 && hello.expected() != generation;
  }

  private HelloReply refused(Verdict verdict, String reason, Refusal code) {
    var codes = verdict.version(Refusal.CAPABILITY_ID) > 0;
    return new HelloReply.Refused(
        Hello.VERSION, generation, offer, reason, codes ? Optional.of(code) : Optional.empty());
  }

  /** What was agreed on with a node that said Hello to us, if it did. */
  public Optional<Verdict> verdict(String name, long guestGeneration) {
    return Optional.ofNullable(guests.get(new Guest(name, guestGeneration)));
  }

  private void remember(Guest guest, Verdict verdict) {
    guests.remove(guest);
    guests.put(guest, verdict);
    if (guests.size() > most) {
      Iterator<Guest> oldest = guests.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }
}
