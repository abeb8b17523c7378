package dev.shunt.cli.doctor;

/**
 * What was seen.
 *
 * @param check what was looked at, in one word or two
 * @param level how it is
 * @param text what was seen
 * @param remedy what would put it right; empty where nothing needs to be
 */
public record Finding(String check, Level level, String text, String remedy) {
  /** How something is; the later, the worse. */
  public enum Level {
    /** As it should be, or not known to matter. */
    OK,
    /** It works, though not as well as it could. */
    WARN,
    /** It will not work. */
    FAIL
  }

  static Finding ok(String check, String text) {
    return new Finding(check, Level.OK, text, "");
  }

  static Finding warn(String check, String text, String remedy) {
    return new Finding(check, Level.WARN, text, remedy);
  }

  static Finding fail(String check, String text, String remedy) {
    return new Finding(check, Level.FAIL, text, remedy);
  }
}
