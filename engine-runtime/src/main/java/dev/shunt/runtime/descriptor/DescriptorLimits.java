package dev.shunt.runtime.descriptor;

/**
 * How much of a stranger's descriptor is read, and how large one of ours may get.
 *
 * @param maxBytes of the text, in UTF-8
 * @param maxBuffers of one descriptor
 */
public record DescriptorLimits(int maxBytes, int maxBuffers) {
  /** A megabyte: some 3000 buffers with our keys, and room for more without. */
  public static final DescriptorLimits DEFAULT = new DescriptorLimits(1 << 20, 65536);

  /** Of names, and of locations of memory. */
  public static final int MAX_NAME = 1024;

  /** Locations of memory for which a topology tells rails. */
  public static final int MAX_LOCATIONS = 64;

  static final int MAX_DEVICES = 256;
  static final int MAX_CONTROL = 64;
  static final int MAX_TRANSPORTS = 64;
  static final int MAX_RAILS = 256;
  static final int MAX_ATTRIBUTES = 64;
  static final int MAX_ATTRIBUTE = 4096;
}
