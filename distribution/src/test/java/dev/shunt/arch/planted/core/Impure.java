package dev.shunt.arch.planted.core;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.LoggerFactory;

final class Impure {
  void thread() {
    Thread.yield();
  }

  Object socket() {
    return new Socket();
  }

  void lock() {
    new ReentrantLock().lock();
  }

  int random() {
    return new Random().nextInt();
  }

  void logger() {
    LoggerFactory.getLogger("planted").info("planted");
  }

  long clock() {
    return Clock.systemUTC().millis();
  }

  Map<Object, Object> identity() {
    return new IdentityHashMap<>();
  }

  boolean file(String name) throws IOException {
    return Files.isHidden(Path.of(name));
  }
}
