/**
 * HTTP for operators ({@code shunt.admin}), and the runtime file by which {@code shunt status}
 * finds it. GET and HEAD are answered, and POST for what changes something, everything else is 405;
 * a path that is not listed is 404. A connection brings one request, of HTTP/1, and is closed
 * behind the answer. At most 128 are there at a time, each for at most 5 seconds (a download of a
 * recording: 2 minutes). Where one more comes, the one goes that came first of those that have not
 * asked for anything yet, or else of those that are being answered: a crowd that keeps silent shuts
 * out no probe.
 *
 * <ul>
 *   <li>{@code /metrics}: the text format of Prometheus 0.0.4; {@link dev.shunt.runtime.observe}
 *       lists what there is.
 *   <li>{@code /health/live}: 200, or 503 with the names of the threads (lanes, steward,
 *       supervisors, control plane, delivery) that made no progress for {@code
 *       shunt.admin.stuck-after}. A freeze of the whole process is blamed on none of them.
 *   <li>{@code /health/ready}: 200 while the node is started, its descriptor is published, and it
 *       does not drain; else 503. The body is the state in lower case.
 *   <li>{@code /status}: {@link dev.shunt.api.Status} as JSON, below.
 *   <li>{@code /recording}: what the flight recorder remembers ({@code shunt.recorder}), as a JFR
 *       file. Asks for {@code Authorization: Bearer TOKEN}; the token stands in the runtime file,
 *       which only the node's own user can read. Where {@code admin.bind} is no loopback address it
 *       is refused unless {@code admin.recording-beyond-loopback} is set.
 *   <li>{@code /rails/TRANSPORT/RAIL/drain} and {@code /rails/TRANSPORT/RAIL/restore}, by POST and
 *       without a body: takes a rail out of use, or checks it and brings it back ({@link
 *       dev.shunt.api.Engine#drainRail}, {@link dev.shunt.api.Engine#restoreRail}); {@code shunt
 *       rail} is how. The answer is 200 with the rail as in {@code /status}, and its {@code
 *       transport}: its {@code state} tells what came of it; 404 if there is no such rail. A
 *       restore answers when the check is over. Asks for {@code Authorization: Bearer TOKEN} as
 *       {@code /recording} does: no page of the web makes a browser send that, and other users of
 *       the machine don't know it. Where {@code admin.bind} is no loopback address it is refused
 *       unless {@code admin.changes-beyond-loopback} is set.
 * </ul>
 *
 * <h2>The runtime file</h2>
 *
 * {@code NAME.GENERATION.json} in {@code $XDG_RUNTIME_DIR/shunt}, else {@code /run/shunt}, else
 * {@code shunt-USER} among the temporary files; the folder has mode 0700 and the file 0600. Bytes
 * of the name other than letters, digits, dot, minus and underscore are written as {@code %XX}. It
 * holds an object with {@code name}, {@code generation} (a text of digits), {@code pid}, {@code
 * process_started_ms}, {@code admin} ({@code host:port}) and {@code token}. It is removed when the
 * engine closes; one of a process that is gone counts for nothing, and is removed by the next node
 * or command that sees it.
 *
 * <h2>The JSON of /status</h2>
 *
 * Keys are added at times; none is renamed, or changes its meaning or its type. Times are texts as
 * in ISO 8601, in UTC; 64-bit generations are texts of decimal digits; bytes and counts are whole
 * numbers. Keys marked with ? may be absent.
 *
 * <pre>{@code
 * name, generation, state (STARTING READY DRAINING STOPPED), started
 * control      list of host:port
 * stuck        list of names of threads
 * transports   list of { id, lanes, outbound_bytes, outbound_requests, failed_requests,
 *              inbound_bytes, inbound_requests,
 *              rails: list of { name, state (ACTIVE INACTIVE RECOVERING DRAINED), since ?, cause,
 *                     recover_at ?, verified_at ?, next_delay_ms, failures_in_a_row },
 *              details: list of { kind, name, facts: { WHAT: text }, counts: { WHAT: number } } }
 * peers        list of { name, generation, transport, since ?, capabilities: { ID: version },
 *              queued_requests, in_flight_bytes, unreachable ?: { since, cause, next_probe },
 *              paths: list of { transport, local_rail, remote_rail,
 *                     state (IDLE CONNECTING UP RETIRING PAUSED), until ?, cause, carried_bytes,
 *                     errors, next_pause_ms } }
 * memory       { buffers, registered_bytes, draining_bytes, quarantined_bytes,
 *                quarantined_remote_bytes }
 * queues       { notifications, calls, inbound_connections, outbound_connections }
 * plugins      list of { kind, id, version, origin,
 *                state (ACTIVE DISABLED EXCLUDED FAILED), cause }
 * counters     { NAME: total since the start }
 * }</pre>
 */
package dev.shunt.runtime.admin;
