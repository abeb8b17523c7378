package dev.shunt.api.spi;

/**
 * Names a link to both of its ends: who asked for it, and which of its attempts it was.
 *
 * @param generation the generation of the node that asked
 * @param attempt a number that this generation never gives twice, from 1
 */
public record LinkId(long generation, long attempt) {}
