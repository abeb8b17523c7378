package dev.shunt.transport.tcp.core;

/**
 * What both ends of a stream agreed on, and how one of them works.
 *
 * @param depth how many requests may be unanswered
 * @param longest the longest payload
 * @param copyLimit payloads up to that are gathered with their headers; longer ones go straight
 *     from, and into, where they belong
 */
public record StreamLimits(int depth, long longest, int copyLimit) {}
