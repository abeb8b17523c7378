package dev.shunt.runtime.process;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Takes a recorded connection of the control plane apart: calls, as frames whole with headers. */
final class ControlFrames {
  private static final int REQUEST_HEADER = 20;
  private static final int REPLY_HEADER = 16;
  private static final int LENGTHS = 8;
  private static final int SEQUENCE_AT = 4;
  private static final int HASH = 4;

  private ControlFrames() {}

  static List<byte[]> requests(byte[] there) {
    return frames(there, REQUEST_HEADER);
  }

  static List<byte[]> replies(byte[] back) {
    return frames(back, REPLY_HEADER);
  }

  /** The function that a request is for; -1 while so much of it has not come. */
  static int function(byte[] request) {
    return request.length < REQUEST_HEADER + HASH + Integer.BYTES
        ? -1
        : little(request).getInt(REQUEST_HEADER + HASH);
  }

  /** A frame as it would be if it were the first one of its connection. */
  static byte[] first(byte[] frame) {
    var same = frame.clone();
    if (same.length >= SEQUENCE_AT + Integer.BYTES) {
      Arrays.fill(same, SEQUENCE_AT, SEQUENCE_AT + Integer.BYTES, (byte) 0);
    }
    return same;
  }

  /** The last one may be cut short. */
  private static List<byte[]> frames(byte[] said, int header) {
    var frames = new ArrayList<byte[]>();
    var all = little(said);
    int at = 0;
    while (at < said.length) {
      long length = said.length - at;
      if (length >= header) {
        int lengths = at + header - LENGTHS;
        var whole = (long) header + all.getInt(lengths) + all.getInt(lengths + Integer.BYTES);
        length = Math.min(length, whole);
      }
      frames.add(Arrays.copyOfRange(said, at, at + (int) length));
      at += (int) length;
    }
    return frames;
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
