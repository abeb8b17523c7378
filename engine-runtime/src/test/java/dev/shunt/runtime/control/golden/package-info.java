/**
 * Conversations that were recorded between real peers, played to this engine in both roles: as a
 * client to its server ({@link dev.shunt.runtime.control.golden.GoldenClient}), and as a server to
 * its client ({@link dev.shunt.runtime.control.golden.GoldenServer}).
 *
 * <p>The files beside this package's classes were recorded from Mooncake TENT, commit
 * 3b5a594133958449a1feaf1c9e0fc1b553e34a28 of the public repository kvcache-ai/Mooncake, with
 * yalantinglibs 7801bc9ad9021781f15217552214e325a1cf7373, on x86-64 Linux over TCP without an RDMA
 * device. Where one end had to misbehave, or to send what no engine sends, a small program by hand
 * took its place. The bytes are those of the wire; of long rows of the same pair of request and
 * answer only the first and the last stand here, so sequences may jump. Memory that a server lent
 * held i modulo 256 in its byte i before the conversation.
 *
 * <h2>Signs</h2>
 *
 * <pre>
 * # text          a comment
 * base 0x..       where the server's memory was; its words stand as base+N in requests
 * ## title        a section: other processes, unless it goes on with what the last one left
 * =N              connection N is opened; what follows goes on there
 * @N              what follows goes on at connection N
 * &gt; bytes         to the server, one message unless several stand together
 * &lt; bytes         from the server
 * &gt;|  &lt;|          the client, or the server, ends that direction
 * &gt;!  &lt;!          it resets the connection
 * ...             nothing comes
 * &lt;~ N bytes      from TENT's server; this engine answers error N, for 0 a text of refusal
 * ~ N             TENT's server waits; this engine answers error N
 * $NAME = text    a text that the following lines name by $NAME; with a colon in hexadecimal
 * </pre>
 *
 * <p>Bytes are hexadecimal; N*HH stands for N times HH, N+HH for N bytes that count up from HH.
 *
 * <h2>What has to be the same</h2>
 *
 * <p>Each byte of a frame, with the bodies in the form of a release build or of a debug build, the
 * codes of errors, and what is data. The words of a refusal, and the order of keys in JSON, need
 * not; the keys and the types of their values need.
 */
package dev.shunt.runtime.control.golden;
