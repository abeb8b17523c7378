package dev.shunt.api.spi;

/**
 * Where frames come from; the same object for all of a link.
 *
 * @param node the sender's name, as it says itself
 * @param generation its generation, or 0 for a node that does not tell one
 * @param attempt the sender's number of the link, see {@link LinkId#attempt}; 0 where it tells none
 * @param rail our rail
 * @param protocol the highest protocol of frames that the sender was told we take, see {@link
 *     NotifyPort#protocol}; on a link of 0 all frames are raw
 */
public record NotifyOrigin(String node, long generation, long attempt, Rail rail, int protocol) {}
