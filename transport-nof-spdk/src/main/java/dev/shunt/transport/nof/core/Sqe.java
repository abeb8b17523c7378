package dev.shunt.transport.nof.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Submission queue entries, 64 bytes each. Command id and data descriptor are the queue's. */
final class Sqe {
  static final int LENGTH = 64;

  static final int IDENTIFY = 0x06;
  static final int SET_FEATURES = 0x09;
  static final int GET_FEATURES = 0x0a;
  static final int KEEP_ALIVE = 0x18;
  static final int FABRICS = 0x7f;
  static final int WRITE = 0x01;
  static final int READ = 0x02;

  static final int FEATURE_QUEUES = 0x07;
  static final int FEATURE_KEEP_ALIVE = 0x0f;

  static final int CNS_NAMESPACE = 0;
  static final int CNS_CONTROLLER = 1;
  static final int CNS_DESCRIPTORS = 3;

  static final int CAP = 0x00;
  static final int VS = 0x08;
  static final int CC = 0x14;
  static final int CSTS = 0x1c;

  /** Bytes that a Connect carries. */
  static final int CONNECT_DATA = 1024;

  private static final int FCTYPE_PROPERTY_SET = 0x00;
  private static final int FCTYPE_CONNECT = 0x01;
  private static final int FCTYPE_PROPERTY_GET = 0x04;

  private static final int SGL_IN_CAPSULE = 0x01;
  private static final int SGL_TRANSPORT = 0x5a;
  private static final int NQN_LIMIT = 223;

  private static final ValueLayout.OfLong BIG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private Sqe() {}

  private static MemorySegment begin(Slot slot, int opcode) {
    var to = slot.entry();
    long at = slot.at();
    for (int word = 0; word < LENGTH; word += 8) {
      Le.put64(to, at + word, 0);
    }
    Le.put8(to, at, opcode);
    Le.put8(to, at + 1, 0x40);
    return to;
  }

  /** Completes an entry when the queue takes it. */
  static void finish(Slot slot) {
    var to = slot.entry();
    long at = slot.at();
    Le.put16(to, at + 2, slot.commandId());
    if (slot.length > 0) {
      Le.put32(to, at + 32, slot.length);
      Le.put8(to, at + 39, slot.inCapsule ? SGL_IN_CAPSULE : SGL_TRANSPORT);
    } else {
      Le.put8(to, at + 39, SGL_TRANSPORT);
    }
  }

  static void connect(Slot slot, int queue, int entries, long keepAliveMillis) {
    var to = begin(slot, FABRICS);
    long at = slot.at();
    Le.put8(to, at + 4, FCTYPE_CONNECT);
    Le.put16(to, at + 42, queue);
    Le.put16(to, at + 44, entries - 1);
    Le.put32(to, at + 48, keepAliveMillis);
  }

  /** What a Connect carries. */
  static void connectData(
      MemorySegment to,
      long hostHigh,
      long hostLow,
      int controller,
      byte[] subsystem,
      byte[] host) {
    to.fill((byte) 0);
    to.set(BIG, 0, hostHigh);
    to.set(BIG, 8, hostLow);
    Le.put16(to, 16, controller);
    nqn(to, 256, subsystem);
    nqn(to, 512, host);
  }

  private static void nqn(MemorySegment to, long at, byte[] name) {
    if (name.length > NQN_LIMIT) {
      throw new IllegalArgumentException(
          "an NQN has " + NQN_LIMIT + " bytes at most, not " + name.length);
    }
    MemorySegment.copy(name, 0, to, ValueLayout.JAVA_BYTE, at, name.length);
  }

  static void propertyGet(Slot slot, int property, boolean wide) {
    var to = begin(slot, FABRICS);
    long at = slot.at();
    Le.put8(to, at + 4, FCTYPE_PROPERTY_GET);
    Le.put8(to, at + 40, wide ? 1 : 0);
    Le.put32(to, at + 44, property);
  }

  static void propertySet(Slot slot, int property, long value) {
    var to = begin(slot, FABRICS);
    long at = slot.at();
    Le.put8(to, at + 4, FCTYPE_PROPERTY_SET);
    Le.put32(to, at + 44, property);
    Le.put64(to, at + 48, value);
  }

  static void identify(Slot slot, int kind, long namespace) {
    var to = begin(slot, IDENTIFY);
    long at = slot.at();
    Le.put32(to, at + 4, namespace);
    Le.put32(to, at + 40, kind);
  }

  static void setFeature(Slot slot, int feature, long value) {
    var to = begin(slot, SET_FEATURES);
    long at = slot.at();
    Le.put32(to, at + 40, feature);
    Le.put32(to, at + 44, value);
  }

  static void getFeature(Slot slot, int feature) {
    Le.put32(begin(slot, GET_FEATURES), slot.at() + 40, feature);
  }

  static void keepAlive(Slot slot) {
    begin(slot, KEEP_ALIVE);
  }

  static void transfer(Slot slot, boolean write, long namespace, long block, long blocks) {
    var to = begin(slot, write ? WRITE : READ);
    long at = slot.at();
    Le.put32(to, at + 4, namespace);
    Le.put64(to, at + 40, block);
    Le.put32(to, at + 48, blocks - 1);
  }
}
