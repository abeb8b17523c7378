package dev.shunt.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/**
 * A benchmark as one page that needs nothing else: no script, no font and no picture from
 * elsewhere, and a policy in it that would refuse them. Light or dark as the reader has it.
 */
final class BenchPage {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --grid: #dfe4ea;
        --page: #ffffff; --one: #0b63c5; --two: #c2410c; --three: #0f766e; --lost: #b91c1c;
        --back: #15803d; }
      @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #9aa5b3;
        --grid: #323a45; --page: #14181d; --one: #6cb0ff; --two: #fb9a5c; --three: #4fd1c0; --lost: #f87171;
        --back: #4ade80; } }
      body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page);
        max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
      table { border-collapse: collapse; } td, th { padding: .2rem 1.2rem .2rem 0;
        text-align: left; font-weight: normal; vertical-align: top; } th { color: var(--soft); }
      svg { width: 100%; height: auto; } text { fill: var(--soft); font-size: 13px; }
      .grid { stroke: var(--grid); } .warm { fill: var(--grid); opacity: .45; }
      .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
      .one { stroke: var(--one); } .two { stroke: var(--two); } .three { stroke: var(--three); }
      .hit { fill: transparent; } .hit:hover { fill: var(--soft); opacity: .18; }
      .key { font-size: .9rem; color: var(--soft); } .key b { font-weight: 600; }
      .mark line { stroke-width: 1.5; } .mark.lost line { stroke: var(--lost); }
      .mark.back line { stroke: var(--back); stroke-dasharray: 6 3; }
      .mark.news line { stroke: var(--soft); stroke-dasharray: 2 3; }
      .mark.lost text { fill: var(--lost); } .mark.back text { fill: var(--back); }
      b.lost { color: var(--lost); } b.back { color: var(--back); } b.news { color: var(--soft); }
      b.one { color: var(--one); } b.two { color: var(--two); } b.three { color: var(--three); }
      """;

  private BenchPage() {}

  static String html(BenchReport report) {
    var map = report.toMap();
    var work = report.work();
    var title =
        "shunt bench: "
            + map.get("operation")
            + ", "
            + Units.bytes(work.block())
            + " blocks, to "
            + report.peer();
    var page = new StringBuilder();
    page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';")
        .append(" style-src 'unsafe-inline'\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>")
        .append(escape(title))
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style>\n</head>\n<body>\n<h1>")
        .append(escape(title))
        .append("</h1>\n");
    table(page, report);
    page.append("<h2>Rate</h2>\n").append(Charts.rate(report));
    page.append("<h2>Latency of a batch</h2>\n").append(Charts.latency(report));
    marks(page, report.marks());
    page.append("<h2>Machine</h2>\n");
    rows(page, report.machine());
    page.append("<p class=\"key\">Written ")
        .append(Instant.now().truncatedTo(ChronoUnit.SECONDS))
        .append(". Time stands from left to right, in seconds from the start; what is grey was")
        .append(" warming up and does not count above. Point at a place for its figures.</p>\n")
        .append("</body>\n</html>\n");
    return page.toString();
  }

  private static void marks(StringBuilder page, Marks marks) {
    page.append("<h2>What happened meanwhile</h2>\n");
    if (!marks.problem().isEmpty()) {
      page.append("<p class=\"key\">Not known: ").append(escape(marks.problem())).append(".</p>\n");
    }
    if (marks.list().isEmpty()) {
      if (marks.problem().isEmpty()) {
        page.append("<p class=\"key\">No rail, path or peer was lost, as far as the node saw that")
            .append(" did the work.</p>\n");
      }
      return;
    }
    page.append("<p class=\"key\">As lines on both drawings: <b class=\"lost\">lost</b>, drawn")
        .append(" through; <b class=\"back\">back</b>, dashed; <b class=\"news\">other news</b>,")
        .append(" dotted. As the node saw it that did the work.</p>\n<table>\n");
    int number = 0;
    for (var mark : marks.list()) {
      number++;
      page.append("<tr><th scope=\"row\">")
          .append(number)
          .append("</th><td>")
          .append(Units.number(mark.at() / 1e9))
          .append(" s</td><td><b class=\"")
          .append(mark.kind().style())
          .append("\">")
          .append(mark.kind().style())
          .append("</b></td><td>")
          .append(escape(Printable.of(mark.text())))
          .append("</td></tr>\n");
    }
    page.append("</table>\n");
    if (marks.more() > 0) {
      page.append("<p class=\"key\">And ")
          .append(Units.count(marks.more(), "more change"))
          .append(", not listed.</p>\n");
    }
  }

  private static void table(StringBuilder page, BenchReport report) {
    page.append("<table>\n");
    for (var line : report.toLines()) {
      int gap = line.indexOf(' ', line.startsWith("a batch") ? 2 : 0);
      row(page, line.substring(0, gap), line.substring(gap).strip());
    }
    page.append("</table>\n");
  }

  private static void rows(StringBuilder page, Map<String, Object> values) {
    page.append("<table>\n");
    values.forEach((key, value) -> row(page, key.replace('_', ' '), String.valueOf(value)));
    page.append("</table>\n");
  }

  private static void row(StringBuilder page, String what, String text) {
    page.append("<tr><th scope=\"row\">")
        .append(escape(what))
        .append("</th><td>")
        .append(escape(text))
        .append("</td></tr>\n");
  }

  /** Text as HTML has it, within elements and attributes. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
