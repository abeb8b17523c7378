package dev.shunt.cli;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks nodes at the same time, so that one which stands still costs the others nothing. */
final class Round {
  private Round() {}

  /** What became of asking a node. */
  sealed interface Answer {
    AdminClient node();

    /** It answered. */
    record Text(AdminClient node, byte[] bytes) implements Answer {}

    /** It did not. */
    record None(AdminClient node, ShuntException failure) implements Answer {}
  }

  /** Each node's answer, in the order of the nodes; each has its own time for all of it. */
  static List<Answer> ask(List<AdminClient> nodes, String path, int most)
      throws InterruptedException {
    long start = System.nanoTime();
    var asked = nodes.stream().map(node -> begin(node, path, most)).toList();
    var answers = new ArrayList<Answer>();
    for (int i = 0; i < nodes.size(); i++) {
      var node = nodes.get(i);
      long left = start + node.timeout().toNanos() - System.nanoTime();
      answers.add(answer(node, asked.get(i), Math.max(1, left)));
    }
    return answers;
  }

  private static CompletableFuture<byte[]> begin(AdminClient node, String path, int most) {
    return CompletableFuture.supplyAsync(
        () -> node.get(path, most), task -> Thread.ofVirtual().name("shunt-ask").start(task));
  }

  private static Answer answer(AdminClient node, CompletableFuture<byte[]> asked, long left)
      throws InterruptedException {
    try {
      return new Answer.Text(node, asked.get(left, TimeUnit.NANOSECONDS));
    } catch (TimeoutException _) {
      // It may trickle on; its thread does not keep the process.
      return new Answer.None(node, node.late(node.timeout()));
    } catch (ExecutionException | CompletionException e) {
      return new Answer.None(
          node,
          e.getCause() instanceof ShuntException shunt
              ? shunt
              : new ShuntException(
                  FailureCode.INTERNAL, node.name() + ": " + e.getCause(), e.getCause()));
    }
  }
}
