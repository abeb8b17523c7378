package dev.shunt.runtime.control;

import dev.shunt.api.FailureCode;
import dev.shunt.api.Notification;
import dev.shunt.runtime.control.core.DelegateCodec;
import dev.shunt.runtime.control.core.Functions;
import dev.shunt.runtime.control.core.NotifyCodec;
import dev.shunt.runtime.control.core.Refusals;
import dev.shunt.runtime.json.JsonReader;
import dev.shunt.runtime.json.JsonWriter;
import dev.shunt.runtime.json.MalformedException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a TENT peer may ask of any node. SendData and RecvData go by {@link
 * ControlService#serveData}; BootstrapRdma is refused until a transport serves it in this place;
 * Delegate, Pin and Unpin always, since this node copies for nobody and lends no staging memory.
 *
 * <p>A peer that subscribes to changes of our descriptor is told of them; a peer's
 * NotifySegmentUpdated is answered and handed on.
 */
public final class PlainFunctions {
  /** Most subscribers that are remembered. */
  public static final int MAX_SUBSCRIBERS = 1024;

  private static final Logger LOG = LoggerFactory.getLogger(PlainFunctions.class);
  private static final byte[] NOTHING = {};
  private static final int MAX_NAME = 1024;

  private final Complaints malformed = new Complaints(LOG);
  private final ControlService service;
  private final Announcer announcer;

  private PlainFunctions(ControlService service, String name) {
    this.service = service;
    this.announcer = new Announcer(service, name, MAX_SUBSCRIBERS);
  }

  /**
   * Serves them all.
   *
   * @param name of this node's segment
   * @param descriptor gives this node's descriptor, in UTF-8; on the control thread
   * @param notifications takes what Notify brings
   * @param updated hears of a segment whose descriptor changed, by name; on the control thread
   */
  public static PlainFunctions install(
      ControlService service,
      String name,
      Supplier<byte[]> descriptor,
      NotifySink notifications,
      Consumer<String> updated) {
    var plain = new PlainFunctions(service, name);
    service.serve(
        Functions.GET_SEGMENT_DESC, (request, peer, reply) -> reply.send(descriptor.get()));
    service.serve(Functions.PROBE, (request, peer, reply) -> reply.send(NOTHING));
    service.serve(
        Functions.NOTIFY, (request, peer, reply) -> plain.notify(request, notifications, reply));
    service.serve(Functions.SUBSCRIBE, (request, peer, reply) -> plain.subscribe(request, reply));
    service.serve(
        Functions.SEGMENT_UPDATED,
        (request, peer, reply) -> plain.updated(request, updated, reply));
    service.serve(
        Functions.BOOTSTRAP_RDMA,
        (request, peer, reply) ->
            reply.send(Refusals.bootstrap("NOT_READY: transport not initialized")));
    service.serve(Functions.DELEGATE, (request, peer, reply) -> delegate(request, reply));
    refuse(service, Functions.PIN);
    refuse(service, Functions.UNPIN);
    return plain;
  }

  /** A peer reads the answer of these as JSON, so a text there would be the end of it. */
  private static void refuse(ControlService service, int function) {
    service.serve(
        function,
        (request, peer, reply) ->
            reply.fail(
                FailureCode.UNSUPPORTED, "this node lends no staging memory to other nodes"));
  }

  /** As TENT does: a request that is none is an error, one that is refused a text. */
  private static void delegate(byte[] request, ControlReply reply) {
    try {
      DelegateCodec.check(request);
      reply.send(Refusals.text("Delegate", "this node copies for nobody; write or read yourself"));
    } catch (MalformedException bad) {
      reply.fail(bad.code(), bad.getMessage());
    }
  }

  /** Who asked to be told of changes, the one longest ago first. On the control thread. */
  public List<String> subscribers() {
    return announcer.subscribers();
  }

  /** This node's descriptor is another one by now: subscribers are told, soon. Any thread. */
  public void changed() {
    announcer.changed();
  }

  /** As TENT does, what is no notification is dropped and answered as if it were one. */
  private void notify(byte[] request, NotifySink sink, ControlReply reply) {
    Notification notification;
    try {
      notification = NotifyCodec.read(request, Math.max(1, request.length));
    } catch (MalformedException bad) {
      malformed.tell(service.now(), "a notification is dropped: " + bad.getMessage());
      reply.send(NOTHING);
      return;
    }
    if (sink.accept(notification.name(), notification.message())) {
      reply.send(NOTHING);
    } else {
      // A sender looks at no attachment here: only an error tells it.
      reply.fail(FailureCode.BUSY, "the inbox of this node is full; send it again later");
    }
  }

  private void subscribe(byte[] request, ControlReply reply) {
    try {
      // An empty name is accepted, as TENT accepts it; there is nobody to tell.
      announcer.subscribe(name("SubscribeSegmentUpdate", request));
      reply.send(NOTHING);
    } catch (MalformedException bad) {
      reply.fail(bad.code(), bad.getMessage());
    }
  }

  private void updated(byte[] request, Consumer<String> listener, ControlReply reply) {
    try {
      listener.accept(name("NotifySegmentUpdated", request));
      reply.send(NOTHING);
    } catch (MalformedException bad) {
      reply.fail(bad.code(), bad.getMessage());
    }
  }

  private static String name(String what, byte[] request) {
    return JsonReader.read(what, request, 8 * MAX_NAME, json -> json.string(MAX_NAME));
  }

  /** The text by which a subscriber, or a segment, is named to a peer. */
  public static byte[] named(String name) {
    return JsonWriter.bytes(json -> json.writeString(name));
  }
}
