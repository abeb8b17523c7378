package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A network namespace of a test's own, with a link to this one. Takes a superuser, as do {@code ip}
 * and {@code iptables}.
 */
final class Namespace implements AutoCloseable {
  private final String name;
  private final String here;
  private final String there;
  private final String near;
  private final List<String> links = new ArrayList<>();

  /**
   * Makes one.
   *
   * @param number from 1 to 250: two at a time differ in it
   */
  Namespace(int number) throws IOException, InterruptedException {
    var own = ProcessHandle.current().pid() + "-" + number;
    name = "shunt-" + own;
    near = "sh" + own;
    here = "10.231." + number + ".1";
    there = "10.231." + number + ".2";
    run("ip", "netns", "add", name);
    links.add(near);
    run("ip", "link", "add", near, "type", "veth", "peer", "name", "far", "netns", name);
    run("ip", "addr", "add", here + "/30", "dev", near);
    run("ip", "link", "set", near, "up");
    inside("ip", "addr", "add", there + "/30", "dev", "far");
    inside("ip", "link", "set", "far", "up");
    inside("ip", "link", "set", "lo", "up");
  }

  /** The address on this side of the link. */
  String here() {
    return here;
  }

  /** The address on its side. */
  String there() {
    return there;
  }

  /**
   * Adds a link, over which nothing goes by itself but what is meant for its ends.
   *
   * @param number another one
   */
  Link link(int number) throws IOException, InterruptedException {
    var device = "sh" + ProcessHandle.current().pid() + "-" + number;
    var far = "far" + number;
    var link = new Link(far, "10.231." + number + ".1", "10.231." + number + ".2");
    links.add(device);
    run("ip", "link", "add", device, "type", "veth", "peer", "name", far, "netns", name);
    run("ip", "addr", "add", link.here() + "/30", "dev", device);
    run("ip", "link", "set", device, "up");
    inside("ip", "addr", "add", link.there() + "/30", "dev", far);
    inside("ip", "link", "set", far, "up");
    return link;
  }

  /**
   * A link.
   *
   * @param far its device within
   * @param here the address on this side
   * @param there the address on that side
   */
  record Link(String far, String here, String there) {}

  /** From now on all packets that come by this link are dropped. */
  void drop(Link link) throws IOException, InterruptedException {
    inside("iptables", "-A", "INPUT", "-i", link.far(), "-j", "DROP");
  }

  /** How a command is run within. */
  List<String> command(String... command) {
    var all = new ArrayList<>(List.of("ip", "netns", "exec", name));
    all.addAll(List.of(command));
    return all;
  }

  /** Runs a command within, to its end. */
  void inside(String... command) throws IOException, InterruptedException {
    run(command(command).toArray(String[]::new));
  }

  /** From now on all packets that come are dropped. */
  void drop() throws IOException, InterruptedException {
    inside("iptables", "-A", "INPUT", "-i", "far", "-j", "DROP");
  }

  /** Packets come through again. */
  void pass() throws IOException, InterruptedException {
    inside("iptables", "-F", "INPUT");
  }

  private static void run(String... command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes());
    process.waitFor(20, TimeUnit.SECONDS);
    assertEquals(0, process.exitValue(), () -> List.of(command) + ": " + text);
  }

  @Override
  public void close() {
    try {
      // Connections that cannot end keep a namespace that was deleted, and its devices, for
      // minutes.
      for (var link : links) {
        run("ip", "link", "del", link);
      }
      run("ip", "netns", "del", name);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
