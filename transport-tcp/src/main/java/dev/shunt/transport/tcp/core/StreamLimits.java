package dev.shunt.transport.tcp.core;

/**
 * What both ends of a stream agreed on, and how one of them works.
 *
 * @param depth how many requests may be unanswered
 * @param longest the longest payload
 * @param copyLimit payloads up to that, and the heads of longer ones, are gathered with their
 *     headers; the rest goes straight from, and into, where they belong
 */
public record StreamLimits(int depth, long longest, int copyLimit) {}
