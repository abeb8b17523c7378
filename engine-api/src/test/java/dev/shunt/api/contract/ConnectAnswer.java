package dev.shunt.api.contract;

import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.api.spi.Fault;

/** What became of a request to connect. */
public final class ConnectAnswer {
  private final ConnectRequest request;
  private final Stage stage;
  private ContractChannel channel;
  private Fault fault;
  private long at;

  ConnectAnswer(ConnectRequest request, Stage stage) {
    this.request = request;
    this.stage = stage;
  }

  ConnectRequest request() {
    return request;
  }

  void up(ContractChannel answer) {
    channel = answer;
    at = stage.now();
  }

  void failed(Fault answer) {
    fault = answer;
    at = stage.now();
  }

  /** Whether there is an answer. */
  public boolean answered() {
    return channel != null || fault != null;
  }

  /** The channel, or null. */
  public ContractChannel channel() {
    return channel;
  }

  /** Why there is none, or null. */
  public Fault fault() {
    return fault;
  }

  /** How long after the deadline the answer came; negative if before. */
  public long late() {
    return at - request.deadline();
  }

  @Override
  public String toString() {
    return request.id()
        + (channel != null ? " is up" : fault != null ? " failed: " + fault : " has no answer");
  }
}
