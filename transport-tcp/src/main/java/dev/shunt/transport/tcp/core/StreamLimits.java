package dev.shunt.transport.tcp.core;

/**
 * What both ends of a stream agreed on, and how one of them works.
 *
 * @param version of the frames
 * @param depth how many requests may be unanswered
 * @param longest the longest payload
 * @param copyLimit payloads up to that, and the heads of longer ones, are gathered with their
 *     headers; the rest goes straight from, and into, where they belong
 * @param mergeLimit adjacent requests become one frame as long as it has no more payload than that
 * @param turn bytes that one stream moves each way before others have their turn
 * @param checksums whether every payload has a checksum
 */
public record StreamLimits(
    int version,
    int depth,
    long longest,
    int copyLimit,
    long mergeLimit,
    long turn,
    boolean checksums) {}
