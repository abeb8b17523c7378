package dev.shunt.api.spi;

/**
 * Requests between nodes, beside the data. Functions below 64 are those of Mooncake's TENT engine;
 * a plug-in takes its own from 128 on, and calls them only where a capability says that the peer
 * has them, since a TENT peer answers a function that it does not know with an empty success.
 */
public interface ControlPlane {
  /**
   * Calls a function of a peer. Never blocks.
   *
   * @param request the attachment
   * @param deadline in nanoseconds of {@link TransportContext#now()}
   * @param handler called on the supervisor thread, once
   */
  void call(Remote.Node peer, int function, byte[] request, long deadline, ReplyHandler handler);

  /** Serves a function. The handler is called on the supervisor thread. */
  void serve(int function, RequestHandler handler);

  /** Takes the answer of a call. */
  interface ReplyHandler {
    /** The peer's attachment; maybe empty. Unchecked input. */
    void reply(byte[] reply);

    /** No answer: why. */
    void failed(Fault fault);
  }

  /** Answers calls. */
  interface RequestHandler {
    /**
     * Answers a request, now or later.
     *
     * @param request the attachment: unchecked input
     * @param reply takes the answer, once, on any thread
     */
    void handle(byte[] request, Reply reply);
  }

  /** Where an answer goes. */
  interface Reply {
    /** Sends the answer's attachment. */
    void send(byte[] attachment);
  }
}
