/**
 * The handshake's one message, {@code BootstrapDesc}: JSON, asked and answered over the control
 * plane by function 2, as Mooncake's TENT engine has it.
 *
 * <p>All of TENT's keys are always there, in requests, answers and refusals alike: a reader of
 * theirs ends when one is missing. {@code reply_msg} is empty, or says why an answer is a refusal.
 *
 * <h2>Notifications</h2>
 *
 * <p>{@code notify_qp_num} is 0, or names the sender's QP for notifications: on it each message is
 * one frame of 65 536 bytes at most, in both directions. {@code notify_proto} is the highest
 * protocol of frames that the sender takes; where the key is missing, as from today's TENT peers,
 * it is 0: raw frames, {@link dev.shunt.api.spi.RawFrame}. It is left out where it is 0, and a
 * frame of a higher protocol goes only to whoever said that he takes it.
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
 * <tr><td>{@code mtu}</td><td>what the sender's port takes, in bytes; in an answer, the lower one of
 * both, which both sides use</td></tr>
 * <tr><td>{@code round}</td><td>which try of the attempt this is, from 0, which is left out. A try
 * has QPs of its own, told to nobody before: after one that failed, the next has a higher number, and
 * takes its place at the peer. An answer repeats it</td></tr>
 * <tr><td>{@code tries}</td><td>true in a request where both nodes agreed on {@code rdma.tries}, else left
 * out: the asked side may try the asker's QPs with writes of no bytes</td></tr>
 * <tr><td>{@code ready_ack}</td><td>where both nodes agreed on {@code rdma.ready_ack}. In a request:
 * false, that the asker will tell when its own QPs are connected; in an answer: false, that this is
 * waited for. The telling is the same request once more with true; its answer has true as well, or is a
 * refusal where the QPs are gone. What is not told within {@code ready-ack-timeout} is given up by the
 * asked side; the asker uses the connection only after the answer</td></tr>
 * <tr><td>{@code close}</td><td>true: no handshake, the link has ended, and its QPs here can
 * go</td></tr>
 * <tr><td>{@code errors}</td><td>in a request: 1 where both nodes agreed on {@code
 * control.error_reply}</td></tr>
 * <tr><td>{@code code}</td><td>in a refusal: for machines, the name of a {@link
 * dev.shunt.api.spi.Refusal} where the request had {@code errors}, else of a {@link
 * dev.shunt.api.FailureCode}</td></tr>
 * <tr><td>{@code notify}</td><td>1: a link for notifications alone. {@code qp_num} is empty, {@code
 * notify_qp_num} names the QP that sends, and in the answer the one that receives; nothing is sent
 * in the other direction. A node without this key refuses the empty list</td></tr>
 * <tr><td>{@code context}</td><td>in an answer: how often the NIC's context was made anew, from 0,
 * which is left out. A key of the descriptor has it in its upper 32 bits, and the device's own key
 * in the lower: one whose numbers differ is not used on the connection</td></tr>
 * </table>
 *
 * <p>Keys that a reader does not know are ignored.
 */
package dev.shunt.transport.rdma.wire;
