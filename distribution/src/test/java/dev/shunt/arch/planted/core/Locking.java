package dev.shunt.arch.planted.core;

final class Locking {
  private int count;

  synchronized void method() {
    count++;
  }

  void block() {
    synchronized (this) {
      count++;
    }
  }

  int count() {
    return count;
  }
}
