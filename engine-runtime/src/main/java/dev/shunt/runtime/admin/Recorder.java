package dev.shunt.runtime.admin;

import dev.shunt.runtime.config.RecorderConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Optional;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The flight recorder of the JDK, running as long as an engine does. */
public final class Recorder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);

  private final Recording recording;

  private Recorder(Recording recording) {
    this.recording = recording;
  }

  /** Starts it, where configuration wants it and the JVM has it. */
  public static Optional<Recorder> start(RecorderConfig config) {
    if (!config.enable()) {
      return Optional.empty();
    }
    if (!FlightRecorder.isAvailable()) {
      LOG.warn("shunt.recorder.enable is set, and this JVM has no flight recorder");
      return Optional.empty();
    }
    try {
      var recording = new Recording(Configuration.getConfiguration("default"));
      recording.setName("shunt");
      recording.setToDisk(true);
      recording.setMaxAge(config.maxAge());
      recording.setMaxSize(config.maxSize());
      recording.start();
      return Optional.of(new Recorder(recording));
    } catch (IOException | ParseException | RuntimeException e) {
      LOG.warn("the flight recorder could not be started", e);
      return Optional.empty();
    }
  }

  /**
   * What it remembers, as a file of which the caller disposes.
   *
   * @throws IOException if there is no room, say
   */
  public synchronized Path dump() throws IOException {
    // Readable for its owner alone from the beginning: temporary files are.
    var file = Files.createTempFile("shunt-", ".jfr");
    try {
      recording.dump(file);
      return file;
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  @Override
  public void close() {
    recording.close();
  }
}
