package dev.shunt.transport.nof.core;

/**
 * A namespace of a target, by the name that Mooncake gives such segments: {@code traddr:IP
 * trsvcid:PORT subnqn:NQN trtype:TCP adrfam:IPv4 ns:NSID}, in any order; {@code ns} is 1 where it
 * is missing.
 *
 * @param address an IPv4 address in dotted decimals
 * @param port 1 to 65535
 * @param subsystem the NQN
 * @param namespace its number, from 1
 */
public record TargetId(String address, int port, String subsystem, long namespace) {
  private static final int NAME_LIMIT = 1024;
  private static final int NQN_LIMIT = 223;
  private static final String FORM =
      "a target's name is traddr:IP trsvcid:PORT subnqn:NQN trtype:TCP adrfam:IPv4 ns:NSID";

  /** Whether a segment's name is meant to be one of these. */
  public static boolean claims(String name) {
    for (var token : name.strip().split("\\s+")) {
      if (token.startsWith("traddr:") || token.startsWith("subnqn:")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException with what is wrong and what would be right
   */
  public static TargetId parse(String name) {
    if (name.length() > NAME_LIMIT) {
      throw wrong("a name of " + name.length() + " characters is too long");
    }
    var keys = new String[] {"traddr", "trsvcid", "subnqn", "trtype", "adrfam", "ns"};
    var values = new String[keys.length];
    for (var token : name.strip().split("\\s+")) {
      int colon = token.indexOf(':');
      int key = colon < 0 ? -1 : indexOf(keys, token.substring(0, colon));
      if (key < 0) {
        throw wrong("\"" + token + "\" is none of its parts");
      }
      if (values[key] != null) {
        throw wrong(keys[key] + " is there twice");
      }
      values[key] = token.substring(colon + 1);
    }
    for (int key = 0; key < keys.length - 1; key++) {
      if (values[key] == null || values[key].isEmpty()) {
        throw wrong(keys[key] + " is missing");
      }
    }
    if (!values[3].equalsIgnoreCase("TCP")) {
      throw wrong("trtype " + values[3] + " is not spoken here");
    }
    if (!values[4].equalsIgnoreCase("IPv4")) {
      throw wrong("adrfam " + values[4] + " is not spoken here");
    }
    if (values[2].length() > NQN_LIMIT || !values[2].startsWith("nqn.") || !ascii(values[2])) {
      throw wrong("subnqn begins with nqn. and has " + NQN_LIMIT + " plain characters at most");
    }
    long namespace = values[5] == null ? 1 : number(keys[5], values[5], 1, 0xffff_fffeL);
    int port = (int) number(keys[1], values[1], 1, 65535);
    return new TargetId(address(values[0]), port, values[2], namespace);
  }

  /** Where it is reached. */
  public String portal() {
    return address + ":" + port;
  }

  /** The four bytes of the address. */
  public byte[] addressBytes() {
    var parts = address.split("\\.");
    var bytes = new byte[4];
    for (int i = 0; i < 4; i++) {
      bytes[i] = (byte) Integer.parseInt(parts[i]);
    }
    return bytes;
  }

  /** The name, with its parts in their usual order. */
  public String name() {
    return "traddr:"
        + address
        + " trsvcid:"
        + port
        + " subnqn:"
        + subsystem
        + " trtype:TCP adrfam:IPv4 ns:"
        + namespace;
  }

  private static String address(String text) {
    var parts = text.split("\\.", -1);
    if (parts.length != 4) {
      throw wrong("traddr \"" + text + "\" is no IPv4 address");
    }
    var canonical = new StringBuilder();
    for (var part : parts) {
      canonical.append(canonical.isEmpty() ? "" : ".").append(number("traddr", part, 0, 255));
    }
    return canonical.toString();
  }

  private static long number(String key, String text, long least, long most) {
    boolean digits = !text.isEmpty() && text.length() <= 10;
    for (int i = 0; digits && i < text.length(); i++) {
      digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    long value = digits ? Long.parseLong(text) : -1;
    if (value < least || value > most) {
      throw wrong(key + " \"" + text + "\" is not a number from " + least + " to " + most);
    }
    return value;
  }

  private static boolean ascii(String text) {
    return text.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  private static int indexOf(String[] keys, String key) {
    for (int i = 0; i < keys.length; i++) {
      if (keys[i].equals(key)) {
        return i;
      }
    }
    return -1;
  }

  private static IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(what + "; " + FORM);
  }
}
