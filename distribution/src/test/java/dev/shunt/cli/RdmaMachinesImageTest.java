package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image on machines that have RDMA in one way or another, or not at all: what is not there is
 * told with a remedy, and TCP carries on. The library is taken away, or replaced by one without
 * hardware, on the loader's path.
 */
class RdmaMachinesImageTest {
  private static final String NAME = "libibverbs.so.1";

  @TempDir Path folder;

  private Path libraries() throws IOException {
    return Files.createDirectories(folder.resolve("lib"));
  }

  /** As on a machine without it: the loader finds this first, and it is no library. */
  private void without() throws IOException {
    Files.write(libraries().resolve(NAME), new byte[0]);
  }

  private void fake(String... defines) throws IOException, InterruptedException {
    var source = Path.of(System.getProperty("shunt.root"), "transport-rdma/src/test/c/fakeverbs.c");
    var command =
        new ArrayList<>(
            List.of("gcc", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-Wl,-Bsymbolic"));
    command.addAll(List.of(defines));
    command.addAll(List.of("-o", libraries().resolve(NAME).toString(), source.toString()));
    var compiled = LinkedImage.run(folder, command.toArray(String[]::new));
    assertEquals(0, compiled.code(), compiled::toString);
  }

  private Process start(String options, String... arguments) throws IOException {
    var command = new ArrayList<>(List.of(Image.SHUNT));
    command.addAll(List.of(arguments));
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile());
    builder.environment().put("LD_LIBRARY_PATH", libraries().toString());
    builder.environment().put("FAKE_VERBS", options);
    builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
    return builder.start();
  }

  private Image.Ran run(String options, String... arguments)
      throws IOException, InterruptedException {
    var process = start(options, arguments);
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), () -> List.of(arguments) + " hangs");
    } finally {
      process.destroyForcibly();
    }
    return new Image.Ran(process.exitValue(), Image.text(folder, "out"), Image.text(folder, "err"));
  }

  private String doctor(String options, int code) throws IOException, InterruptedException {
    var ran = run(options, "doctor");
    // With a device in use, this machine's own limit counts.
    boolean limited = ran.out().contains("fail  locked memory");
    assertEquals(limited ? ExitCode.FAILED.number() : code, ran.code(), ran::toString);
    assertTrue(ran.out().matches("(?s).*ok    tcp  +rail 127.0.0.1 active.*"), ran.out());
    return ran.out().replaceAll("\\s+", " ");
  }

  private String plugins(String options) throws IOException, InterruptedException {
    var ran = run(options, "plugins");
    assertEquals(0, ran.code(), ran::toString);
    return ran.out().replaceAll("\\s+", " ");
  }

  private static void says(String text, String... parts) {
    for (var part : parts) {
      assertTrue(text.contains(part), () -> "'" + part + "' in: " + text);
    }
  }

  @Test
  void withoutTheLibraryTcpCarriesOnAndPluginsAndDoctorSayWhy() throws Exception {
    without();
    says(doctor("", 0), "warn rdma transport does not work: " + NAME + " cannot", "libibverbs1");
    var listed = run("", "plugins");
    assertEquals(0, listed.code(), listed::toString);
    says(
        listed.out().replaceAll("\\s+", " "),
        "FAILED transport rdma",
        "because " + NAME + " cannot be loaded",
        "libibverbs1");
    var json = run("", "plugins", "--output", "json");
    says(json.out(), "\"id\":\"rdma\"", "\"state\":\"FAILED\"", "libibverbs1");
    var required = run("", "plugins", "--set", "plugins.required=[rdma]");
    assertEquals(ExitCode.CONFIGURATION.number(), required.code(), required::toString);
    says(required.err(), "libibverbs1");
    var demo = run("", "demo", "--size", "1MiB", "--output", "json");
    assertEquals(0, demo.code(), demo::toString);
    says(demo.out(), "\"verified\":true");
    var served = run("", "serve", "--memory", "1MiB", "--set", "plugins.required=[rdma]");
    assertEquals(ExitCode.CONFIGURATION.number(), served.code(), served::toString);
    says(served.err(), "libibverbs1");
  }

  @Test
  void aLibraryThatIsTooOldIsTold() throws Exception {
    fake("-Dibv_create_qp=some_other_name");
    says(doctor("", 0), "lacks ibv_create_qp", "rdma-core 17 or newer");
    says(plugins(""), "lacks ibv_create_qp");
  }

  @Test
  void eachThingThatIsMissingIsAReasonWithARemedy() throws Exception {
    fake();
    says(doctor("devices=0", 0), "no RDMA device", "ib_uverbs", "/dev/infiniband");
    says(doctor("open-errno=13", 0), "no permission", "/dev/infiniband/uverbs*", "group");
    says(doctor("open-errno=2", 0), "not there (2)", "a container must be given it");
    says(doctor("port-down=1", 0), "port 1 of fake0 is not active", "its link must be up");
    says(doctor("no-send=1", 0), "post_send", "one release of rdma-core");
    says(doctor("cq-errno=12", 0), "ibv_create_cq", "locked memory");
    says(doctor("list-errno=5", 0), "ibv_get_device_list", "input/output error");
    says(plugins("devices=0"), "FAILED transport rdma", "because this machine has no RDMA device");
    says(plugins("list-errno=5"), "FAILED transport rdma", "because", "ibv_get_device_list");
    says(plugins("devices=1"), "ACTIVE transport rdma");
  }

  @Test
  void aDeviceIsTriedWithAWriteToItself() throws Exception {
    fake();
    says(
        doctor("devices=2", 0),
        "ok rdma rail fake0 active, and passed its check",
        "ok rdma rail fake1 active, and passed its check",
        "ok rdma device fake0: ",
        "ok rdma port fake0: state ACTIVE");
    says(doctor("broken-loop=1", ExitCode.FAILED.number()), "fail rdma rail fake0 does not pass");
  }

  @Test
  void memoryThatCannotBeLockedIsARefusalThatNamesTheLimitAndTheNeed() throws Exception {
    fake();
    var served = run("reg-limit=65536", "serve", "--memory", "1MiB", "--until-eof");
    assertFalse(served.code() == 0, served::toString);
    says(served.err(), "registering 1048576 bytes", "fake0", "locked memory");
  }

  @Test
  void statusAndMetricsShowDevicesPortsAndQps() throws Exception {
    fake();
    var node = start("devices=2", "serve", "--memory", "1MiB", "--until-eof");
    try {
      Image.await(
          "serving",
          Duration.ofSeconds(60),
          () -> {
            try {
              return Image.text(folder, "out").startsWith("ready ");
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          });
      var name = Image.text(folder, "out").strip().substring("ready ".length());
      var status = run("", "status");
      assertEquals(0, status.code(), status::toString);
      says(
          status.out().replaceAll("\\s+", " "),
          name,
          "device fake0: ",
          "registered-bytes 1",
          "port fake1: state ACTIVE",
          "gid ",
          "gid-type ROCE_V2");
      var json = run("", "status", "--output", "json");
      says(json.out(), "\"kind\":\"device\"", "\"gid-index\":", "\"qps\":0");
    } finally {
      node.destroyForcibly();
    }
  }
}
