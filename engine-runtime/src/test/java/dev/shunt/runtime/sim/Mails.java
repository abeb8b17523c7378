package dev.shunt.runtime.sim;

import dev.shunt.api.Delivery;
import dev.shunt.api.Notification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The notifications of a story: what was sent, what arrived, and whether that fits. */
final class Mails {
  private final Cluster cluster;
  private final Story story;
  private final List<Mail> mails = new ArrayList<>();
  private final Map<String, Mail> mailByName = new HashMap<>();
  private final Map<String, Integer> bound = new HashMap<>();

  Mails(Cluster cluster, Story story) {
    this.cluster = cluster;
    this.story = story;
  }

  boolean quiet() {
    return mails.isEmpty();
  }

  /** What a process sent is nobody's any more. */
  void died(SimNode node) {
    collect(node);
    mails.removeIf(mail -> mail.from == node);
  }

  void send(SimNode from, SimNode to) {
    long within = Cluster.SECOND;
    var name = "mail " + mailByName.size();
    var signal =
        from.engine()
            .send(
                from.handles[to.index()], new Notification("mail", name), Duration.ofNanos(within));
    var mail = new Mail(from, to, name, cluster.world().now() + within, signal);
    mails.add(mail);
    mailByName.put(name, mail);
  }

  /** After each event. */
  void check() {
    for (var node : cluster.nodes()) {
      if (node.alive()) {
        collect(node);
      }
    }
    for (int i = mails.size() - 1; i >= 0; i--) {
      var mail = mails.get(i);
      if (!mail.signal.isDone()) {
        if (!mail.from.controlStandsStill() && story.late(mail.from, mail.deadline)) {
          cluster.broken(mail.name + " outlasts its deadline");
        }
        continue;
      }
      switch (mail.signal.poll().orElseThrow()) {
        case Delivery.Delivered() -> {
          if (!mail.received && mail.to.generation() == mail.generation && mail.to.alive()) {
            cluster.broken(mail.name + " is Delivered, and " + mail.to + " does not have it");
          }
        }
        case Delivery.NotDelivered _ -> {
          cluster.mark(Mark.NOTIFICATION_NOT_DELIVERED);
          if (mail.received) {
            cluster.broken(mail.name + " is NotDelivered, and arrived");
          }
        }
        case Delivery.Unknown _ -> cluster.mark(Mark.NOTIFICATION_UNKNOWN);
      }
      mails.remove(i);
    }
  }

  /** Takes what has arrived. */
  void collect(SimNode node) {
    for (var next = node.engine().inbox().poll();
        next.isPresent();
        next = node.engine().inbox().poll()) {
      var notification = next.get().notification();
      if (notification.name().equals("batch")) {
        cluster.mark(Mark.BATCH_NOTIFICATION);
        bound(node, Integer.parseInt(notification.message()));
        continue;
      }
      var mail = mailByName.get(notification.message());
      if (mail == null || mail.received || mail.to != node) {
        cluster.broken(node + " received twice, or nobody sent it: " + notification);
      } else {
        mail.received = true;
      }
    }
  }

  private void bound(SimNode node, int number) {
    if (bound.merge(node + " " + number, 1, Integer::sum) > 1) {
      cluster.broken(node + " was told twice of batch " + number);
    }
    for (var deal : story.open()) {
      if (deal.number == number && !deal.done()) {
        cluster.broken(node + " was told of " + deal + " before it was done");
      }
    }
    for (var deals : List.of(story.open(), story.ended())) {
      for (var deal : deals) {
        if (deal.number == number && deal.done() && !deal.completed()) {
          cluster.broken(node + " was told of " + deal + ", which did not complete");
        }
      }
    }
  }
}
