package dev.shunt.api.contract;

import com.typesafe.config.Config;
import dev.shunt.api.FailureCode;
import dev.shunt.api.ShuntException;
import dev.shunt.api.spi.Attempts;
import dev.shunt.api.spi.ControlPlane;
import dev.shunt.api.spi.Fault;
import dev.shunt.api.spi.Fault.Blame;
import dev.shunt.api.spi.Fault.Effect;
import dev.shunt.api.spi.Mailbox;
import dev.shunt.api.spi.Regions;
import dev.shunt.api.spi.Supervisor;
import dev.shunt.api.spi.TransportContext;
import dev.shunt.api.spi.Wires;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What a contract host lends to the transport. */
record HostContext(ContractHost host, Config config, Wires wires)
    implements TransportContext, Attempts {
  @Override
  public String node() {
    return host.name();
  }

  @Override
  public long generation() {
    return host.generation();
  }

  @Override
  public long now() {
    return host.stage().now();
  }

  @Override
  public long random() {
    return host.stage().random();
  }

  @Override
  public int lanes() {
    return host.lanes();
  }

  @Override
  public Mailbox lane(int lane) {
    return host.lane(lane);
  }

  @Override
  public Supervisor supervisor() {
    return host.supervisor();
  }

  @Override
  public Regions regions() {
    return host.regions();
  }

  @Override
  public ControlPlane control() {
    return host.control();
  }

  @Override
  public Attempts attempts() {
    return this;
  }

  @Override
  public <T> void run(
      String what, Callable<T> call, long deadline, BiConsumer<T, Fault> answer, Consumer<T> late) {
    var attempt = new Attempt<>(answer, late);
    host.supervisor()
        .at(
            deadline,
            () ->
                attempt.give(
                    null, fault(FailureCode.DEADLINE, what + ": still runs at its deadline")));
    host.stage()
        .blocking(
            host.name(),
            () -> {
              T result = null;
              Fault fault = null;
              try {
                result = call.call();
              } catch (ShuntException e) {
                fault = fault(e.code(), what + ": " + e.getMessage());
              } catch (Exception e) {
                fault = fault(FailureCode.INTERNAL, what + ": " + e);
              }
              T had = result;
              Fault why = fault;
              host.supervisor().execute(() -> attempt.give(had, why));
            });
  }

  private static Fault fault(FailureCode code, String text) {
    return new Fault(Blame.LOCAL, code, Effect.NONE, text);
  }

  private static final class Attempt<T> {
    private final BiConsumer<T, Fault> answer;
    private final Consumer<T> late;
    private boolean answered;

    Attempt(BiConsumer<T, Fault> answer, Consumer<T> late) {
      this.answer = answer;
      this.late = late;
    }

    void give(T result, Fault fault) {
      if (!answered) {
        answered = true;
        answer.accept(result, fault);
      } else if (result != null) {
        late.accept(result);
      }
    }
  }
}
