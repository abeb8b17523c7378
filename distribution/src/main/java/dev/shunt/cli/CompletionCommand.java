package dev.shunt.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code shunt completion}. */
@Command(
    name = "completion",
    header = "Prints what makes bash and zsh complete the commands and options of shunt.",
    description = "Put the line below into ~/.bashrc, or run it once for a shell.",
    footer = {"%nExample:", "  source <(shunt completion)"})
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    out.print(AutoComplete.bash("shunt", spec.root().commandLine()));
    out.flush();
    return ExitCode.OK.number();
  }
}
