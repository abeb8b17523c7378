package dev.shunt.api.spi;

import java.util.Map;

/**
 * A remote's rail, as its descriptor tells.
 *
 * @param name the remote's name for it
 * @param index its place in the remote's list
 * @param attributes what {@link Rail#attributes()} published there: unchecked input, read with care
 */
public record RemoteRail(String name, int index, Map<String, String> attributes) {}
