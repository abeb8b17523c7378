package dev.shunt.runtime.discovery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Plug-ins that are bad in every way there is, named so that they come first, and good ones. */
final class Poisons {
  private Poisons() {}

  /** Makes them; the answer says, for each jar that is bad, what its cause has to hold. */
  static Map<String, String> plant(Path directory) {
    var expected = new LinkedHashMap<String, String>();
    plant(directory, expected, "constructor", "no luck today", constructor());
    plant(directory, expected, "initialiser", "no luck ever", initialiser());
    plant(directory, expected, "superclass", "Base", superclass());
    plant(directory, expected, "helper", "Helper", helper());
    plant(directory, expected, "tomorrow", "class file version", tomorrow());
    plant(directory, expected, "spi", "built for version 99", spi());
    plant(directory, expected, "nullid", "its id is null", id("nullid", "null"));
    plant(directory, expected, "blankid", "its id is ' '", id("blankid", "\" \""));
    plant(directory, expected, "throwingid", "cannot say", throwingId());
    plant(directory, expected, "nullversion", "version() answered null", nullVersion());
    plant(directory, expected, "endless", "StackOverflowError", endless());
    plant(directory, expected, "heap", "no heap holds this", error("OutOfMemoryError"));
    plant(directory, expected, "machine", "no heap holds this", error("InternalError"));
    plant(directory, expected, "cause", "poison.cause.Odd: odd", cause());
    plant(directory, expected, "reference", "reference.conf is no good", reference());
    plant(
        directory,
        expected,
        "nothing",
        "provides none",
        new PluginJar("poison.nothing").source("P", "class P {}"));
    return expected;
  }

  /** A transport that works, with defaults of its own. */
  static PluginJar good(String module, String id) {
    return new PluginJar(module)
        .transport("Provider", id, "")
        .resource(
            "reference.conf", "shunt.transports." + id + " { flavour = vanilla, reach = 5s }\n");
  }

  private static void plant(
      Path directory, Map<String, String> expected, String name, String cause, PluginJar jar) {
    try {
      jar.jar(Files.createDirectories(directory).resolve("a-" + name + ".jar"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    expected.put("a-" + name + ".jar", cause);
  }

  private static PluginJar constructor() {
    return new PluginJar("poison.constructor")
        .transport("P", "p1", "public P() { throw new IllegalStateException(\"no luck today\"); }");
  }

  private static PluginJar initialiser() {
    return new PluginJar("poison.initialiser")
        .transport(
            "P",
            "p2",
            "static final int X = fail();"
                + " static int fail() { throw new IllegalStateException(\"no luck ever\"); }");
  }

  private static PluginJar superclass() {
    return new PluginJar("poison.superclass")
        .source(
            "Base",
            "public abstract class Base implements dev.shunt.api.spi.TransportProvider {"
                + " public String id() { return \"p3\"; }"
                + " public int spiVersion() { return 1; }"
                + " public String version() { return \"1\"; }"
                + " public dev.shunt.api.spi.Transport create("
                + "dev.shunt.api.spi.TransportContext c) { return null; } }")
        .provider("P", "public class P extends Base {}")
        .without("Base");
  }

  private static PluginJar helper() {
    return new PluginJar("poison.helper")
        .source("Helper", "class Helper { }")
        .transport("P", "p4", "final Object helper = new Helper();")
        .without("Helper");
  }

  private static PluginJar tomorrow() {
    return new PluginJar("poison.tomorrow").transport("P", "p5", "").ofTomorrow("P");
  }

  private static PluginJar spi() {
    return new PluginJar("poison.spi")
        .transport("P", "p6", "public int spiVersion() { return 99; }");
  }

  private static PluginJar id(String name, String answer) {
    return new PluginJar("poison." + name)
        .transport("P", "p7", "public String id() { return " + answer + "; }");
  }

  private static PluginJar throwingId() {
    return new PluginJar("poison.throwingid")
        .transport("P", "p8", "public String id() { throw new AssertionError(\"cannot say\"); }");
  }

  private static PluginJar nullVersion() {
    return new PluginJar("poison.nullversion")
        .transport("P", "p9", "public String version() { return null; }");
  }

  private static PluginJar endless() {
    return new PluginJar("poison.endless")
        .transport("P", "p10", "public String id() { return id() + id(); }");
  }

  private static PluginJar error(String type) {
    return new PluginJar("poison." + type.toLowerCase(java.util.Locale.ROOT))
        .transport("P", "p12", "public P() { throw new " + type + "(\"no heap holds this\"); }");
  }

  private static PluginJar cause() {
    return new PluginJar("poison.cause")
        .source(
            "Odd",
            "class Odd extends Error { public String getMessage() { return \"odd\"; }"
                + " public Throwable getCause() { throw new IllegalStateException(); } }")
        .transport("P", "p13", "public P() { throw new Odd(); }");
  }

  private static PluginJar reference() {
    return new PluginJar("poison.reference")
        .transport("P", "p11", "")
        .resource("reference.conf", "shunt.transports.p11 { a = ");
  }
}
