/**
 * The handshake's one message, {@code BootstrapDesc}: JSON, asked and answered over the control
 * plane by function 2, as Mooncake's TENT engine has it.
 *
 * <p>All of TENT's keys are always there, in requests, answers and refusals alike: a reader of
 * theirs ends when one is missing. {@code reply_msg} is empty, or says why an answer is a refusal.
 *
 * <h2>What Shunt adds</h2>
 *
 * <p>A key {@code shunt}, which TENT ignores; sent first only to a peer whose descriptor says that
 * it is a Shunt node, and in an answer only where the request had it. Its value is an object:
 *
 * <table>
 * <caption>Keys of {@code shunt}</caption>
 * <tr><td>{@code generation}</td><td>of the node that asks, 16 hexadecimal digits</td></tr>
 * <tr><td>{@code peer_generation}</td><td>of the node that is asked, likewise; another process than
 * that refuses</td></tr>
 * <tr><td>{@code attempt}</td><td>names the link together with {@code generation}, likewise; an
 * answer repeats all three</td></tr>
 * <tr><td>{@code mtu}</td><td>what the sender's port takes, in bytes: both sides use the lower
 * one</td></tr>
 * <tr><td>{@code close}</td><td>true: no handshake, the link has ended, and its QPs here can
 * go</td></tr>
 * <tr><td>{@code errors}</td><td>in a request: 1 where both nodes agreed on {@code
 * control.error_reply}</td></tr>
 * <tr><td>{@code code}</td><td>in a refusal: for machines, the name of a {@link
 * dev.shunt.api.spi.Refusal} where the request had {@code errors}, else of a {@link
 * dev.shunt.api.FailureCode}</td></tr>
 * </table>
 *
 * <p>Keys that a reader does not know are ignored.
 */
package dev.shunt.transport.rdma.wire;
