package dev.shunt.runtime.control;

import dev.shunt.api.FailureCode;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Supervisor.Timer;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.observe.CallMeter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call that has not ended. On the control thread once it is begun. */
final class Call {
  private static final Logger LOG = LoggerFactory.getLogger(Call.class);

  final Optional<InetSocketAddress> local;
  final List<String> addresses;
  final int function;
  final byte[] request;
  final long deadline;
  private final CallHandler handler;
  private final CallMeter meter;
  private final StringBuilder history = new StringBuilder();
  List<Route> routes = List.of();
  Timer alarm;
  Pool waitingIn;
  Outbound outbound;
  private final List<String> admitted = new ArrayList<>(2);
  private final List<String> refused = new ArrayList<>(2);
  private int next;
  private boolean localOnly = true;
  private boolean ended;

  Call(
      Optional<InetSocketAddress> local,
      List<String> addresses,
      int function,
      byte[] request,
      long deadline,
      CallHandler handler,
      CallMeter meter) {
    this.local = local;
    this.addresses = addresses;
    this.function = function;
    this.request = request;
    this.deadline = deadline;
    this.handler = handler;
    this.meter = meter;
  }

  /** Whether the peer was only to be told of something, for what it is worth. */
  boolean incidental() {
    return function == Functions.SEGMENT_UPDATED;
  }

  boolean ended() {
    return ended;
  }

  /** The next way to try, or null. */
  Route nextRoute() {
    return next < routes.size() ? routes.get(next++) : null;
  }

  /**
   * Whether an address may be called, asked once for each.
   *
   * @param ask answers why not
   */
  boolean mayGoTo(String address, Function<String, Optional<String>> ask) {
    if (!admitted.contains(address) && !refused.contains(address)) {
      var reason = ask.apply(address);
      (reason.isEmpty() ? admitted : refused).add(address);
      reason.ifPresent(text -> note(text, false));
    }
    return admitted.contains(address);
  }

  /** An address that it waited for is not to be called after all. */
  void barred(String address, String reason) {
    admitted.remove(address);
    refused.add(address);
    note(reason, false);
  }

  /** How many ways are left, the one being tried among them. */
  int routesLeft() {
    return routes.size() - next + 1;
  }

  /** Remembers why a way did not do. */
  void note(String text, boolean ours) {
    localOnly &= ours;
    history.append(history.isEmpty() ? "" : "; ").append(text);
  }

  String history() {
    return history.toString();
  }

  boolean localOnly() {
    return localOnly && !history.isEmpty();
  }

  /** What went wrong at a place, which is told once: not where the call names no other. */
  String at(InetSocketAddress remote, String why) {
    var place = Places.text(remote);
    var bare = why.replace(" to " + remote, "");
    return addresses.equals(List.of(place)) ? bare : place + ": " + bare;
  }

  String describe() {
    return Functions.name(function) + " to " + String.join(" or ", addresses);
  }

  void reply(byte[] attachment) {
    ended = true;
    try {
      handler.reply(attachment);
    } catch (RuntimeException | Error thrown) {
      LOG.error("who takes the reply of {} threw", describe(), thrown);
    }
  }

  void fail(Fault.Blame blame, FailureCode code, boolean begun, String text, long vendorCode) {
    ended = true;
    meter.failed(function);
    var effect = begun ? Fault.Effect.POSSIBLE : Fault.Effect.NONE;
    try {
      handler.failed(new Fault(blame, code, effect, describe() + ": " + text, vendorCode));
    } catch (RuntimeException | Error thrown) {
      LOG.error("who takes the end of {} threw", describe(), thrown);
    }
  }
}
