package dev.shunt.transport.nof.testing;

/** A command under way at a target. */
final class SoftCommand {
  final SoftConnection connection;
  final int id;
  final int opcode;
  final long offset;
  final int length;
  final byte[] data;
  int asked;
  int got;
  int tag;
  long due;
  long order;

  SoftCommand(
      SoftConnection connection, int id, int opcode, long offset, int length, boolean write) {
    this.connection = connection;
    this.id = id;
    this.opcode = opcode;
    this.offset = offset;
    this.length = length;
    data = write ? new byte[length] : null;
  }
}
