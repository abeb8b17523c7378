package dev.shunt.runtime.control.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shunt.runtime.control.golden.TentFrame.Form;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A connection of a plain peer that is written by hand: a blocking socket. */
public final class PlainCall implements AutoCloseable {
  private final Socket socket;
  private int sequence;

  /** Connects to {@code host:port}. */
  public PlainCall(String address) throws IOException {
    int colon = address.lastIndexOf(':');
    socket =
        new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
  }

  /** Asks, and gives the attachment of the answer. */
  public byte[] call(int function, byte[] attachment) throws IOException {
    send(function, attachment, attachment.length);
    return answer();
  }

  /** Sends the first bytes of a request. */
  public void send(int function, byte[] attachment, int count) throws IOException {
    var request =
        ByteBuffer.allocate(28 + attachment.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(0x15)
            .putInt(sequence++)
            .putInt(0xff74660d)
            .putInt(8)
            .putInt(attachment.length)
            .putInt(0x55a54008)
            .putInt(function)
            .put(attachment)
            .array();
    socket.getOutputStream().write(request, 0, 28 + count);
  }

  /** The attachment of the next answer. */
  public byte[] answer() throws IOException {
    var in = socket.getInputStream();
    var head = in.readNBytes(TentFrame.REPLY);
    assertEquals(TentFrame.REPLY, head.length, "the connection was closed");
    var rest = in.readNBytes((int) TentFrame.length(head) - head.length);
    var all = Arrays.copyOf(head, head.length + rest.length);
    System.arraycopy(rest, 0, all, head.length, rest.length);
    var answer = TentFrame.split(all, TentFrame.REPLY).getFirst();
    assertEquals(0, answer.in(Form.RELEASE).error(), answer.problem());
    return answer.attachment();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
