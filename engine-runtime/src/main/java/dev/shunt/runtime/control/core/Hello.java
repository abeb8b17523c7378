package dev.shunt.runtime.control.core;

/**
 * The question of a Hello.
 *
 * @param version of this exchange, from 1
 * @param sender the asking node's name
 * @param generation the asking node's generation
 * @param expected the generation that the asked node is thought to have, or 0 if that is not known
 * @param offer what the asking node offers
 */
public record Hello(int version, String sender, long generation, long expected, Offer offer) {
  /** What this code speaks. */
  public static final int VERSION = 1;
}
