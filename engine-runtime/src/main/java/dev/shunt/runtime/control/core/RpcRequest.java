package dev.shunt.runtime.control.core;

/**
 * A request as it came.
 *
 * @param sequence echoed in the reply
 * @param refusal an error code of {@link RpcError} if it is answered with that at once, or 0
 * @param function what is called; means nothing if it is refused
 * @param attachment the request itself; empty if it is refused; of one that carries data just the
 *     head
 * @param landed whether it carried data that a {@link DataDesk} judged: those are answered here
 * @param problem why a write was not applied, or an empty text
 * @param codes whether the asking node reads a code before the text of a refusal
 */
public record RpcRequest(
    int sequence,
    int refusal,
    int function,
    byte[] attachment,
    boolean landed,
    String problem,
    boolean codes) {}
