package dev.shunt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shunt.api.Operation;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class BenchPageTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void thePageNeedsNothingFromElsewhereAndRefusesIt() {
    var page = BenchPage.html(report("127.0.0.1:1"));
    assertTrue(page.contains("default-src 'none'"), page);
    for (var outside : List.of("http:", "https:", "src=", "href=", "@import", "url(", "<script")) {
      assertFalse(page.contains(outside), outside);
    }
    assertTrue(page.contains("prefers-color-scheme: dark"));
  }

  @Test
  void whatOthersCallThemselvesIsOnlyText() {
    var page = BenchPage.html(report("<script>alert('1')</script>&\""));
    assertFalse(page.contains("<script>"), page);
    assertTrue(page.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;"), page);
  }

  @Test
  void itsDrawingsAreWellFormedAndHoldEachPoint() throws Exception {
    // The command line itself needs no XML.
    BenchPageTest.class
        .getModule()
        .addReads(ModuleLayer.boot().findModule("java.xml").orElseThrow());
    for (var svg : List.of(Charts.rate(report("a")), Charts.latency(report("a")))) {
      var text = svg.substring(svg.indexOf("<svg"));
      var factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      var document =
          factory
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
      assertEquals(20, document.getElementsByTagName("title").getLength());
      assertFalse(text.contains("NaN") || text.contains("Infinity"), text);
    }
  }

  private static final Marks FAULT =
      new Marks(
          List.of(
              new Mark(SECOND / 2, Mark.Kind.LOST, "rail tcp/<b> is inactive: the cable"),
              new Mark(SECOND / 2 + 1000, Mark.Kind.LOST, "path tcp a > b of c rests"),
              new Mark(3 * SECOND / 2, Mark.Kind.BACK, "rail tcp/<b> is in use again")),
          4,
          "");

  @Test
  void whatFailedIsMarkedAtItsTimeAndListedWithALegend() throws Exception {
    BenchPageTest.class
        .getModule()
        .addReads(ModuleLayer.boot().findModule("java.xml").orElseThrow());
    var report = report("a").with(FAULT);
    for (var chart : List.of(Charts.rate(report), Charts.latency(report))) {
      var factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      var text = chart.substring(chart.indexOf("<svg"));
      var document =
          factory
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
      assertEquals(23, document.getElementsByTagName("title").getLength());
      // Half a second of two is a quarter of 800 units, behind 90 for the axis.
      assertTrue(text.contains("<line x1=\"290.0\""), text);
      assertTrue(text.contains("<line x1=\"690.0\""), text);
      assertTrue(
          text.contains("class=\"mark lost\"") && text.contains("class=\"mark back\""), text);
      assertTrue(text.contains(">1</text></g>"), text);
      assertFalse(text.contains(">2</text></g>"), "two numbers at one place would not be read");
      assertTrue(text.contains(">3</text></g>"), text);
    }
    var page = BenchPage.html(report);
    assertTrue(page.contains("drawn through") && page.contains("dashed"), page);
    assertTrue(page.contains("rail tcp/&lt;b&gt; is inactive: the cable"), page);
    assertFalse(page.contains("<b> is inactive"), page);
    assertTrue(page.contains("And 4 more changes, not listed."), page);
  }

  @Test
  void aPageWithoutMarksSaysWhy() {
    var quiet = BenchPage.html(report("a").with(new Marks(List.of(), 0, "")));
    assertTrue(quiet.contains("No rail, path or peer was lost"), quiet);
    var unknown = BenchPage.html(report("a").with(new Marks(List.of(), 0, "no recorder")));
    assertTrue(unknown.contains("Not known: no recorder."), unknown);
    assertFalse(unknown.contains("No rail, path or peer was lost"), unknown);
  }

  @Test
  void aBenchmarkThatSawNothingIsDrawnAllTheSame() {
    var none = report("a", new Series());
    assertFalse(BenchPage.html(none).contains("NaN"));
  }

  @Test
  void howeverLongItTakesTheSeriesStaysShortAndLosesNoByte() {
    var series = new Series();
    var one = new Histogram(3);
    one.recordValue(1000);
    int looks = 100_000;
    for (int i = 1; i <= looks; i++) {
      series.add(i * SECOND / 10, 7, one);
    }
    var points = series.points();
    assertTrue(points.size() <= Series.MOST && points.size() >= Series.MOST / 4);
    long last = points.getLast().to();
    assertEquals(last / (SECOND / 10) * 7, points.stream().mapToLong(Series.Point::bytes).sum());
    long end = 0;
    for (var point : points) {
      assertEquals(end, point.from());
      end = point.to();
    }
  }

  @Test
  void anAxisEndsAtTheNextRoundNumber() {
    assertEquals(2 * 1024.0 * 1024, Charts.nice(1.5 * 1024 * 1024));
    assertEquals(1024.0 * 1024, Charts.nice(1000 * 1024));
    assertEquals(1, Charts.nice(0));
  }

  private static BenchReport report(String peer) {
    var series = new Series();
    for (int i = 1; i <= 20; i++) {
      var latencies = new Histogram(3);
      if (i % 5 != 0) {
        latencies.recordValue(100_000L * i);
      }
      series.add(i * SECOND / 10, i * 1_000_000L, latencies);
    }
    return report(peer, series);
  }

  private static BenchReport report(String peer, Series series) {
    var work =
        new Bench.Work(
            Operation.WRITE,
            1 << 20,
            8,
            1,
            8 << 20,
            Duration.ofMillis(500),
            Duration.ofSeconds(2),
            Duration.ofSeconds(30),
            false);
    var latencies = new Histogram(3);
    latencies.recordValue(100_000);
    return new BenchReport(
        work,
        peer,
        10,
        0,
        SECOND,
        latencies,
        series.points(),
        Map.of("processors", 2, "java", "25"),
        Instant.EPOCH,
        Marks.NONE);
  }
}
