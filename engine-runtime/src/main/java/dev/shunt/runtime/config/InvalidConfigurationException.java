package dev.shunt.runtime.config;

import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import java.util.List;
import java.util.stream.Collectors;

/** The configuration is wrong; the message has a line for each problem. */
public final class InvalidConfigurationException extends ShuntException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  InvalidConfigurationException(List<Problem> problems) {
    this(problems, null);
  }

  InvalidConfigurationException(List<Problem> problems, Throwable cause) {
    super(
        FailureCode.CONFIGURATION,
        Problem.few(problems, 0).stream().map(Problem::describe).collect(Collectors.joining("\n")),
        cause);
    this.problems = Problem.few(problems, 0);
  }

  /** What is wrong, in the order of the keys; of very many the first ones, and their number. */
  public List<Problem> problems() {
    return problems;
  }
}
