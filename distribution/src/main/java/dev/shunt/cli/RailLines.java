package dev.shunt.cli;

/**
 * Tells of a transport's rails in words: what each is at, since when and why, and what happens
 * next.
 *
 * @param times as of when
 * @param transport the transport's id, by which the command that helps is named
 */
record RailLines(Times times, String transport) {
  /** One rail of a status. */
  String line(Tree rail) {
    var since = rail.optional("since").flatMap(Times::read).map(times::since).orElse("");
    var text = new StringBuilder(rail.text("name") + " " + rail.text("state") + since);
    switch (rail.text("state")) {
      case "ACTIVE" -> {
        rail.optional("verified_at")
            .flatMap(Times::read)
            .ifPresent(at -> text.append(", verified at ").append(times.clock(at)));
        if (!rail.text("cause").isEmpty()) {
          text.append("; was out of use: ").append(rail.text("cause"));
        }
        delay(rail, text, "; lost now, it would wait ", " and a check");
      }
      case "INACTIVE" -> {
        cause(rail, text);
        text.append("; waits for its link");
        delay(rail, text, ", then ", " and a check");
        text.append("; by hand: ").append(restore(rail));
      }
      case "RECOVERING" -> {
        text.append(
            rail.optional("recover_at")
                .flatMap(Times::read)
                .map(at -> ", to be checked " + times.until(at))
                .orElse(", being checked now"));
        cause(rail, text);
        delay(rail, text, "; if that fails, it waits ", "");
      }
      case "DRAINED" -> {
        cause(rail, text);
        text.append("; stays so until ").append(restore(rail));
      }
      default -> cause(rail, text);
    }
    if (rail.number("failures_in_a_row") > 0) {
      text.append("; ")
          .append(Units.count(rail.number("failures_in_a_row"), "failure"))
          .append(" in a row");
    }
    return text.toString();
  }

  private static void cause(Tree rail, StringBuilder text) {
    if (!rail.text("cause").isEmpty()) {
      text.append(": ").append(rail.text("cause"));
    }
  }

  /** What was never out of use waits as it is configured, and that is no news. */
  private static void delay(Tree rail, StringBuilder text, String before, String after) {
    var known = rail.optional("since").isPresent() && rail.number("next_delay_ms") > 0;
    if (known) {
      text.append(before).append(Times.ofMillis(rail.number("next_delay_ms"))).append(after);
    }
  }

  private String restore(Tree rail) {
    return "'shunt rail restore " + transport + "/" + rail.text("name") + "'";
  }
}
