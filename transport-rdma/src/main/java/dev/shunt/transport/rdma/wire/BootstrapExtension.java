package dev.shunt.transport.rdma.wire;

/**
 * What Shunt nodes add to a handshake.
 *
 * @param generation of the node that asks
 * @param peerGeneration of the node that is asked
 * @param attempt which of the asker's links
 * @param mtu bytes that the sender's port takes; in an answer, what is used
 * @param close whether the link has ended
 * @param code in a refusal, the name of a failure code, or of a {@link dev.shunt.api.spi.Refusal}
 *     where the request asked for that; otherwise empty
 * @param errors in a request, whether a refusal may name a {@link dev.shunt.api.spi.Refusal}
 * @param round which try of the attempt: each has QPs of its own
 * @param ready what it says of being ready
 * @param notifying whether the link is for notifications alone: it has no data QPs, and its
 *     receives are on the asked side
 * @param context in an answer, which context of its NIC the QPs are of: keys have its number, too
 * @param tries in a request, whether the asked side may try the asker's QPs with writes of no bytes
 */
public record BootstrapExtension(
    long generation,
    long peerGeneration,
    long attempt,
    int mtu,
    boolean close,
    String code,
    boolean errors,
    int round,
    Ready ready,
    boolean notifying,
    int context,
    boolean tries) {
  /** One of a link for data. */
  public BootstrapExtension(
      long generation,
      long peerGeneration,
      long attempt,
      int mtu,
      boolean close,
      String code,
      boolean errors,
      int round,
      Ready ready) {
    this(generation, peerGeneration, attempt, mtu, close, code, errors, round, ready, false);
  }

  /** One of the first round that asks for nothing more. */
  public BootstrapExtension(
      long generation, long peerGeneration, long attempt, int mtu, boolean close, String code) {
    this(generation, peerGeneration, attempt, mtu, close, code, false);
  }

  /** One of the first round. */
  public BootstrapExtension(
      long generation,
      long peerGeneration,
      long attempt,
      int mtu,
      boolean close,
      String code,
      boolean errors) {
    this(generation, peerGeneration, attempt, mtu, close, code, errors, 0, Ready.NONE);
  }

  /** One of the first context. */
  public BootstrapExtension(
      long generation,
      long peerGeneration,
      long attempt,
      int mtu,
      boolean close,
      String code,
      boolean errors,
      int round,
      Ready ready,
      boolean notifying) {
    this(
        generation,
        peerGeneration,
        attempt,
        mtu,
        close,
        code,
        errors,
        round,
        ready,
        notifying,
        0,
        false);
  }

  /** The same in another round. */
  public BootstrapExtension inRound(int number) {
    return new BootstrapExtension(
        generation,
        peerGeneration,
        attempt,
        mtu,
        close,
        code,
        errors,
        number,
        ready,
        notifying,
        context,
        tries);
  }

  /** The same of another context. */
  public BootstrapExtension ofContext(int number) {
    return new BootstrapExtension(
        generation,
        peerGeneration,
        attempt,
        mtu,
        close,
        code,
        errors,
        round,
        ready,
        notifying,
        number,
        tries);
  }

  /** The same that says something else of being ready. */
  public BootstrapExtension with(Ready other) {
    return new BootstrapExtension(
        generation,
        peerGeneration,
        attempt,
        mtu,
        close,
        code,
        errors,
        round,
        other,
        notifying,
        context,
        tries);
  }

  /** The same of an asker whose QPs may be tried. */
  public BootstrapExtension tried() {
    return new BootstrapExtension(
        generation,
        peerGeneration,
        attempt,
        mtu,
        close,
        code,
        errors,
        round,
        ready,
        notifying,
        context,
        true);
  }

  /** What a message says of the asker being ready to send. */
  public enum Ready {
    /** Nothing: it will not be told. */
    NONE,
    /** It will be told, or is waited for. */
    EXPECTED,
    /** The asker's QPs are connected. */
    SAID
  }
}
