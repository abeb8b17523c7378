package dev.shunt.api.spi;

/** Takes tasks to the thread that owns something. */
@FunctionalInterface
public interface Mailbox {
  /**
   * Runs a task on the owner's thread, after those sent before by the same thread. Never blocks.
   * The task must be short, and must not throw.
   *
   * @return false if the owner has ended: the task will not run
   */
  boolean execute(Runnable task);
}
