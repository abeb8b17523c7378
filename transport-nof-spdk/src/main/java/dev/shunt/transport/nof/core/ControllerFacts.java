package dev.shunt.transport.nof.core;

/**
 * What a controller told when it came up.
 *
 * @param controller its number
 * @param version of the specification: major in the upper 16 bits, minor below
 * @param maxEntries the most entries of a queue
 * @param maxTransfer the most bytes of a read or write; {@link Long#MAX_VALUE} without a limit
 * @param inCapsule the most bytes of a write that go with its command
 * @param queues how many I/O queues it granted
 * @param keepAlive the keep-alive timeout in nanoseconds that holds; 0 for none
 * @param model its model number
 */
public record ControllerFacts(
    int controller,
    long version,
    int maxEntries,
    long maxTransfer,
    long inCapsule,
    int queues,
    long keepAlive,
    String model) {}
