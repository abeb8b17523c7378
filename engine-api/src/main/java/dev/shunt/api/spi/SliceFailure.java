package dev.shunt.api.spi;

/**
 * A slice that failed, and what there is to choose from.
 *
 * @param write whether it was a write
 * @param attempts how many attempts it has had, 1 at least
 * @param fault of the last one
 * @param localAlternatives other local rails that are usable for the same remote rail
 * @param remoteAlternatives other remote rails that are usable
 * @param otherTransports other transports that reach the remote
 * @param fencing how the old attempt can be made harmless
 * @param now nanoseconds
 * @param deadline nanoseconds
 */
public record SliceFailure(
    boolean write,
    int attempts,
    Fault fault,
    int localAlternatives,
    int remoteAlternatives,
    int otherTransports,
    Limits.Fencing fencing,
    long now,
    long deadline) {}
