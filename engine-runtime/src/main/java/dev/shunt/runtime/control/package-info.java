/**
 * The control plane: requests between nodes, beside the data. A {@link
 * dev.shunt.runtime.control.ControlService} listens, serves and calls; {@link
 * dev.shunt.runtime.control.PlainFunctions} is what any TENT peer may ask; {@link
 * dev.shunt.runtime.control.PluginControl} lends the plane to a transport. What decides is in
 * {@code dev.shunt.runtime.control.core}. Only the engine comes in here.
 *
 * <h2>Frames</h2>
 *
 * <p>Those of Mooncake's TENT engine (coro_rpc of yalantinglibs, with struct_pack), over TCP.
 * Integers have the least byte first. A request is a head of 20 bytes, a body and an attachment:
 *
 * <pre>
 * u8  0x15        magic
 * u8  0           version
 * u8  0           serialization: struct_pack
 * u8  0           message type; ignored, but see "Refusals with codes"
 * u32 sequence    the caller's choice; echoed
 * u32 0xff74660d  the hash of TENT's one function
 * u32 body        length of the body
 * u32 attachment  length of the attachment
 * body            08 40 a5 55, then the function's id as i32
 *                 (a debug build's form, 09 40 a5 55 04 01 00, then the id, is read too)
 * attachment      the request itself
 * </pre>
 *
 * <p>A reply has a head of 16 bytes: magic, version, u8 error code, u8 message type, u32 sequence,
 * u32 body, u32 attachment. Without an error the body is {@code ea cf 01 89} (read also: {@code eb
 * cf 01 89 04 fa 00}) and the attachment is the reply itself; with one the body is a text: {@code
 * 76 fa cf 9d}, u8 length, UTF-8; or {@code 77 fa cf 9d 08}, u16 length, UTF-8.
 *
 * <p>A wrong magic, version or serialization ends the connection without a word. A body or an
 * attachment above the limit is answered with error 14 and ends it: 65600 bytes of body, {@code
 * rpc.max-frame} of attachment, but for SendData, whose attachment has what 32 bits announce at
 * most, and whose payload is bounded by {@code rpc.max-write}. Another hash is error 11, a body
 * that names no function error 4, a handler that refuses error 10, one that does not answer in time
 * error 3; the connection lives on. (TENT's server believes lengths up to 32 bits and waits.) Where
 * we refuse with error 10 the text begins with the name of a {@link dev.shunt.api.FailureCode} and
 * a colon. A function that is not served is answered with an empty success, as TENT answers it: so
 * an id detects nothing, and functions of ours are called only where a descriptor carries our key.
 *
 * <p>Several requests may be sent before the first is answered; answers come in the order of the
 * requests. We call with one request at a time on a connection, and drop the connection on any
 * error.
 *
 * <h2>Functions</h2>
 *
 * <p>1 to 11 are TENT's ({@link dev.shunt.runtime.control.core.Functions}); 64 and 65 are ours;
 * from 128 on they are the plug-ins'. Where a number of 64 bits travels in JSON it is a string of
 * decimal digits, unsigned. Keys that a reader does not know it passes over; {@code version} is
 * that of the exchange, from 1, and a reader takes a higher one than its own.
 *
 * <h3>What a plain peer may ask (1 to 11)</h3>
 *
 * <p>As TENT's server has it ({@code mooncake-transfer-engine/tent} in the public repository
 * kvcache-ai/Mooncake, commit 3b5a594133958449a1feaf1c9e0fc1b553e34a28: {@code src/rpc/rpc.cpp} and
 * {@code src/runtime/control_plane.cpp}); conversations that were recorded there are played to this
 * one in its tests, byte for byte.
 *
 * <pre>
 * id                          request                        answer
 *  1 GetSegmentDesc           ignored                        the descriptor, JSON
 *  2 BootstrapRdma            a BootstrapDesc, JSON          a whole one, refused in its reply_msg
 *                                                            unless a transport serves it
 *  3 SendData                 u64 address, u64 length,       empty; or a text: refused
 *                             length bytes
 *  4 RecvData                 u64 address, u64 length        length bytes; else a text: refused
 *  5 Notify                   {"name":"","msg":""}           empty, also if it is no notification
 *  6 Probe                    ignored                        empty
 *  7 Delegate                 a copy to make, JSON           a text: refused
 *  8 Pin, 9 Unpin             ignored                        error 10: refused
 * 10 SubscribeSegmentUpdate   "host:port" to call, JSON      empty
 * 11 NotifySegmentUpdated     "the segment's name", JSON     empty
 * </pre>
 *
 * <p>What is no JSON, or lacks a key, is error 10 in 7, 10 and 11. A notification that no inbox has
 * room for is error 10 too, since its sender looks at no attachment. A plain sender stamps nothing
 * and sends again when an answer is lost: then it is delivered twice.
 *
 * <h3>SendData (3) and RecvData (4)</h3>
 *
 * <p>The attachments, a whole SendData, and a whole RecvData with its answer:
 *
 * <pre>
 * SendData, request          u64 address     in the memory of the asked node
 *                            u64 length
 *                            length bytes    the payload
 * SendData, answer           nothing; or UTF-8: why it was refused
 * RecvData, request          u64 address
 *                            u64 length
 * RecvData, answer           length bytes    the payload; or UTF-8: why it was refused
 *
 * 15 00 00 00  07 00 00 00  0d 66 74 ff  08 00 00 00  14 00 00 00   head: request 7, body 8,
 *                                                                   attachment 20 (16 + length)
 * 08 40 a5 55  03 00 00 00                                          body: function 3
 * 00 10 00 00 00 7f 00 00  04 00 00 00 00 00 00 00                  to 0x7f0000001000, 4 bytes
 * 61 62 63 64                                                       the payload
 * 15 00 00 00  07 00 00 00  04 00 00 00  00 00 00 00  ea cf 01 89   the answer: done
 *
 * 15 00 00 00  08 00 00 00  0d 66 74 ff  08 00 00 00  10 00 00 00   request 8, attachment 16
 * 08 40 a5 55  04 00 00 00                                          function 4
 * 00 10 00 00 00 7f 00 00  04 00 00 00 00 00 00 00                  from there, 4 bytes
 * 15 00 00 00  08 00 00 00  04 00 00 00  04 00 00 00  ea cf 01 89   the answer, attachment 4
 * 61 62 63 64                                                       the payload
 * </pre>
 *
 * <p>{@link dev.shunt.runtime.control.core.DataDesk} judges by the head, before a byte of payload
 * is read: the head is whole, the length (unsigned) is no more than was sent and than {@code
 * rpc.max-write} or {@code rpc.max-read}, the range lies within one registration, its access allows
 * it, and it is not being unregistered. Then the bytes go straight from the stream to where they
 * belong, or from where they lie to the stream, under a lease that holds the registration until the
 * last of them has moved, or the connection ends. What follows the announced length is dropped. No
 * byte is an address that is good up to the end of a buffer. A write is applied as it arrives: one
 * whose connection broke may have been applied in part.
 *
 * <p>Refusals are texts in a good reply, as in TENT, which takes any text for the failure of a
 * write, and any answer of another length than it asked for as the failure of a read. Ours never
 * have that length.
 *
 * <p>While the bytes of a read wait to be sent, nothing more is read from that connection, so that
 * no later write changes them. Half a payload, or a reply that is not read, may stand still for
 * {@code rpc.progress-timeout}; less than 64 KiB do not count as progress. One connection moves a
 * MiB, and then it is the turn of the others.
 *
 * <h3>Subscriptions (10 and 11)</h3>
 *
 * <p>The attachments are one text of JSON, quotes and all: the asking node's {@code host:port} in
 * 10, the name of the segment whose descriptor changed in 11. {@link
 * dev.shunt.runtime.control.core.Subscribers} remembers who asked, by address, 1024 of them, and
 * for two hours unless they ask again: TENT asks with every descriptor that it fetches, at the
 * latest after one hour. When the descriptor changes each is called with NotifySegmentUpdated and
 * the segment's name, within 20 ms, and for changes in a row every half second; 64 at a time. One
 * that does not answer within 5 s is tried three times in all, after the others, and forgotten.
 *
 * <h3>Hello (64)</h3>
 *
 * <p>Request:
 *
 * <pre>{@code
 * {"version":1,
 *  "sender":"10.0.0.1:15100",            the asking node's name
 *  "generation":"7689040871221231615",   its generation, not 0
 *  "expected":"0",                       the asked node's generation if it is known, else 0
 *  "offers":[                            at most 256, each id once
 *    {"id":"tcp.stream","low":1,"high":2},
 *    {"id":"tcp.crc32c","low":1,"high":1,"requires":["tcp.stream"]},
 *    {"id":"rdma.write_imm","low":1,"high":1,"scope":"endpoint"}],
 *  "identity":{}}                        kept for a proof of who is asking
 * }</pre>
 *
 * <p>{@code scope} is left out for what two nodes settle by Hello; of others the offer only tells.
 * Replies, one of:
 *
 * <pre>{@code
 * {"version":1,"status":"OK","generation":"9","offers":[...],"identity":{}}
 * {"version":1,"status":"STALE_GENERATION","generation":"9","identity":{}}
 * {"version":1,"status":"REFUSED","generation":"9","reason":"...","offers":[...],"identity":{}}
 * (nothing)                              a node that knows no Hello
 * }</pre>
 *
 * <p>STALE_GENERATION answers an {@code expected} that is neither 0 nor the asked node's own, and
 * tells the true one. REFUSED names a capability that the asked node requires, and both ranges.
 * What two offers come to is the same on both sides ({@link
 * dev.shunt.runtime.control.core.Negotiation}): for each id in both, of scope peer, the lower of
 * the two highest versions, if it is no lower than the two lowest; then, until nothing changes,
 * without each whose requirements, as either side states them, did not come out.
 *
 * <h3>Fence (65)</h3>
 *
 * <p>Request: the link is named by the generation of the node that asked for it (which is the one
 * that asks now) and its attempt.
 *
 * <pre>{@code
 * {"version":1,"transport":"tcp","generation":"7689040871221231615","attempt":"42","expected":"9"}
 * }</pre>
 *
 * <p>Replies, one of:
 *
 * <pre>{@code
 * {"version":1,"status":"FENCED"}
 * {"version":1,"status":"REFUSED","reason":"..."}
 * {"version":1,"status":"STALE_GENERATION","generation":"9"}
 * }</pre>
 *
 * <p>After FENCED nothing that was sent on that link changes memory. STALE_GENERATION answers any
 * {@code expected} but the asked node's own, 0 too.
 *
 * <h3>A node that closes</h3>
 *
 * <p>Once its lanes are to end, Hello is answered REFUSED, and Notify with error 10, CLOSED; what
 * is under way to such a node ends when it has said so, with that code, and is not tried elsewhere.
 * Fence is answered as before by the transports, and with FENCED for every link once no memory can
 * be reached any more. Then the control plane stays until nobody has said Hello or asked for a
 * fence for 200 ms, and for 500 ms at most; both counted from when its peers' devices can have
 * missed it, where a transport needs that: so no writer waits for an answer that nobody is left to
 * give. A node that nobody has met, and one whose {@code close-timeout} has passed, goes at once.
 *
 * <h2>Refusals with codes ({@code control.error_reply}, version 1)</h2>
 *
 * <p>Where both nodes offer it, a refusal tells a code beside its text: the name of a {@link
 * dev.shunt.api.spi.Refusal}. A reader takes a name that it does not know for none. It is the
 * request that asks for it, so that an answer to any other is the same to the byte as without the
 * capability:
 *
 * <pre>{@code
 * Hello            both offers name it. REFUSED has "code" after "reason":
 *   {"version":1,"status":"REFUSED","generation":"5","reason":"why","code":"CAPABILITY",
 *    "offers":[...],"identity":{}}
 * Fence            the request ends with "errors":1. REFUSED has "code" after "reason":
 *   {"version":1,"transport":"tcp","generation":"7","attempt":"42","expected":"9","errors":1}
 *   {"version":1,"status":"REFUSED","reason":"busy","code":"NOT_NOW"}
 * BootstrapRdma    "errors":1 in the key "shunt" of the request, and the code in that of the answer
 *                  (dev.shunt.transport.rdma.wire)
 * SendData, RecvData
 *                  the message type of the request's head is 1. A refusal has message type 1, too,
 *                  and its attachment begins with the code, a colon and a blank; so it is told from
 *                  the data of a read also where it has their length
 * }</pre>
 *
 * <p>A RecvData of 4 bytes where there is no buffer, and its answer:
 *
 * <pre>
 * 15 00 00 01  08 00 00 00  0d 66 74 ff  08 00 00 00  10 00 00 00   request 8, message type 1
 * 08 40 a5 55  04 00 00 00
 * 00 10 00 00 00 7f 00 00  04 00 00 00 00 00 00 00
 * 15 00 00 01  08 00 00 00  04 00 00 00  3f 00 00 00  ea cf 01 89   message type 1, 63 bytes
 * "RANGE: RecvData failed: target address not in registered buffer"
 * </pre>
 *
 * <h2>Peers that do not answer</h2>
 *
 * <p>A call that is not answered (no connection, or no reply in time) marks the address that was
 * called, if the failover policy knows of such marks. Whoever calls a marked address is answered at
 * once: since when, why, and when it is probed next; who waits for a connection to it, too. A peer
 * with several addresses is called by those that are not marked. A refusal is an answer, whatever
 * it says, and clears the mark. A call that was cut marks nobody by itself, but has the address
 * probed at once. Who gives a call less than 100 ms learns nothing of a peer by its silence, and
 * marks nobody.
 *
 * <p>Each marked address is sent TENT's Probe when it is marked and then each {@code
 * peer-health.probe-interval}, with {@code rpc.probe-timeout} of its own, on a new connection from
 * each of our rails. Probes of one address overlap where the timeout is the longer one, so that no
 * second goes by without one; 512 connections with probes are there at most, and those that are due
 * longest come first. Any answer clears the mark. Where not all of our rails got one the address is
 * called from the rail that did, first of all, until a probe has answered by each of them: a call
 * does not go on waiting where the way of a probe was another.
 *
 * <p>With {@code control.echo-interval} each Shunt node that was met, and was not heard of for so
 * long, is sent a Probe over a connection that rests: one that stands still is known before anybody
 * waits for it.
 *
 * <p>While a call is under way this thread has a turn each 250 ms. One that comes 500 ms later than
 * it was due means that this very process stood still. Calls whose time ran out by that end with
 * DEADLINE and without blame, and mark nobody.
 *
 * <p>What is known here stands for the control plane alone: transfers go on by the channels that
 * are up. Only where none is does a new request end at once, with the same text.
 *
 * <h2>An echo on a path: {@code link.echo}, version 1</h2>
 *
 * <p>It has no request of its own. A node that offers it lends a page of memory, of 64 bytes or
 * more, that every transport by which it serves lets others read, and tells where it is by the key
 * {@code echo} of its descriptor ({@link dev.shunt.runtime.descriptor}). The page stays where it is
 * for the generation, is served also while a rail of the node is out of use, and holds, the least
 * byte first:
 *
 * <pre>
 * u64 generation  the node's
 * u64 address     the page's own, as the descriptor has it
 * u64 word[6]     chance that can be told: word[i] = mix((generation xor address)
 *                 + (i + 1) * 9e3779b97f4a7c15), modulo 2^64
 *                 mix(z): z = (z xor z >> 30) * bf58476d1ce4e5b9
 *                         z = (z xor z >> 27) * 94d049bb133111eb
 *                         z xor z >> 31
 * more            what stands beyond 64 bytes is not specified
 * </pre>
 *
 * <p>Who wants to know whether a path works opens a channel on just that path, reads the first 64
 * bytes as any memory is read, and compares: so other memory, or that of an earlier process, is no
 * echo. A rail that recovers is used again after three reads in a row that were right, over one
 * path from that rail, to one node that was met and agreed to it. Other slices never go by such a
 * channel.
 *
 * <h2>What peers may cost</h2>
 *
 * <p>Half a frame may stand still for {@code rpc.progress-timeout}. Of {@code rpc.max-connections}
 * connections the one least worth keeping is closed where one more comes ({@link
 * dev.shunt.runtime.control.core.Crowd}): one that stood still for a second before its first
 * request or within one, or one from an address (a network of 64 bits, in IPv6) that has more than
 * its share.
 *
 * <p>Room for an attachment grows as its bytes come, whatever was announced. All requests together,
 * half ones and those that are not answered, take {@code rpc.max-buffered} of the heap at most, the
 * first 16 KiB of each connection and the payload of SendData not counted ({@link
 * dev.shunt.runtime.control.core.HeapBudget}). Beyond that a half request gives way, one that
 * stands still or else the largest: its other bytes are read and dropped, and then it is answered
 * with error 10, RESOURCE. Answers are bounded for each connection only: while more than {@code
 * rpc.max-unsent} waits to be read by a peer, no request of it is read.
 *
 * <h2>What there is not</h2>
 *
 * <p>Delegate, Pin and Unpin are always refused: a node copies for nobody, and lends no staging
 * memory. Identity has its place in Hello and is not looked at. A connection on which a peer
 * vanished without a word stays until room is needed, or something is sent on it.
 */
package dev.shunt.runtime.control;
