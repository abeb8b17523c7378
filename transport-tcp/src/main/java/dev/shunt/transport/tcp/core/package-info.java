/**
 * What decides in the TCP transport: the frames, the two ends of a stream, admission, and which
 * links are fenced. Machines without a thread, clock or socket; they call {@link
 * dev.shunt.api.spi.Wire} and {@link dev.shunt.api.spi.Regions}, whose implementations are the
 * seam. Only the rest of this module comes in here, and tests.
 *
 * <h2>The wire of {@code tcp.stream}, versions 1 and 2, and of {@code tcp.crc32c}, version 1</h2>
 *
 * <p>A stream carries requests one way, from the node that connected (the <em>requester</em>) to
 * the one that accepted (the <em>responder</em>), and their answers the other way. All numbers are
 * little-endian and unsigned; fields called reserved are sent as 0 and not looked at. CRCs are
 * CRC32C (Castagnoli) of the bytes before them in the same structure. A link has one stream or,
 * from version 2 on, several, to the same rail; each has a preamble, ids and answers of its own.
 *
 * <h3>Preamble, 64 bytes, from the requester, once</h3>
 *
 * <pre>
 *  0  8  magic: the bytes "SHUNTtcp"
 *  8  2  version: of the frames that follow, as both nodes agreed in their verdict
 * 10  2  flags asked for. Bit 0: every payload has a checksum; only where tcp.crc32c was agreed on
 * 12  4  depth: how many requests the requester would leave unanswered at most, from 1
 * 16  8  generation of the requester, not 0
 * 24  8  generation that it expects of the responder; 0 for any
 * 32  8  attempt: with the requester's generation it names the link; from 1
 * 40  4  rail of the responder that it means to reach
 * 44  2  version 1: reserved. Version 2: which of the link's streams this is, from 0
 * 46  2  version 1: reserved. Version 2: how many streams the link is to have, 1 to 64
 * 48  8  the longest payload that it would send or ask for
 * 56  4  version 1: reserved. Version 2: the requester is never silent for longer than so many
 *        milliseconds; 0 for any time
 * 60  4  CRC of bytes 0 to 59
 * </pre>
 *
 * <h3>Answer to the preamble, 48 bytes, from the responder, once</h3>
 *
 * <pre>
 *  0  8  magic: the bytes "SHUNTtcp"
 *  8  2  the highest version that the responder speaks
 * 10  2  the lowest
 * 12  2  flags granted: a subset of those asked for; a requester to whom one is missing leaves
 * 14  2  status: 0 welcome; else the stream is closed after this:
 *        1 stale generation (the responder is of another than expected), 2 version, 3 busy,
 *        4 fenced (the link was), 5 wrong rail, 6 duplicate (that stream of the link is already
 *        up), 7 malformed, 8 crowded (the requester has as much of the rail as one peer may; to a
 *        requester of version 1 it is 3)
 * 16  4  depth granted: no more than asked for
 * 20  4  reserved
 * 24  8  generation of the responder: the true one
 * 32  8  the longest payload granted: no more than asked for
 * 40  4  reserved
 * 44  4  CRC of bytes 0 to 43
 * </pre>
 *
 * <p>Both structures keep this form in every version, so that two versions can at least tell each
 * other which they are. The requester sends nothing more before it was welcomed: a link that the
 * responder does not know can therefore have no payload under way.
 *
 * <h3>Frames: a header of 48 bytes, and a payload for two of them</h3>
 *
 * <pre>
 *  0  1  type
 *  1  1  flags. Bit 0: the payload has a checksum; set in each WRITE, and in each DATA with status
 *        0, where the flag was granted, and nowhere else
 *  2  2  status: 0 for applied
 *  4  4  CRC32C of the payload, where flags say that there is one; else 0
 *  8  8  id
 * 16  8  first: an address, a generation, or a count
 * 24  8  second: a length, or an attempt
 * 32  8  key
 * 40  4  reserved
 * 44  4  CRC of bytes 0 to 43
 * </pre>
 *
 * <table>
 * <caption>Types</caption>
 * <tr><th>type</th><th>from</th><th>first, second, key</th><th>payload</th></tr>
 * <tr><td>1 WRITE</td><td>requester</td><td>address, length, key</td><td>length bytes</td></tr>
 * <tr><td>2 READ</td><td>requester</td><td>address, length, key</td><td></td></tr>
 * <tr><td>3 FENCE</td><td>requester</td><td>generation, attempt of the stale link, 0</td><td></td></tr>
 * <tr><td>4 ACK</td><td>responder</td><td>count, 0, 0</td><td></td></tr>
 * <tr><td>5 DATA</td><td>responder</td><td>0, length, 0</td><td>length bytes</td></tr>
 * <tr><td>6 BYE</td><td>responder</td><td>0, 0, 0; the status tells why</td><td></td></tr>
 * <tr><td>7 PING</td><td>requester, version 2</td><td>0, 0, 0</td><td></td></tr>
 * </table>
 *
 * <p>Ids of requests count from 1 without a gap; a fence and a ping take one too. Answers come in
 * the order of the requests. An ACK with id <i>i</i> and count <i>n</i> answers the <i>n</i>
 * requests up to <i>i</i>, all of them WRITE, FENCE or PING; a status other than 0 answers one.
 * DATA answers a READ; with a status other than 0 it has length 0. Statuses of ACK and DATA: 1
 * range (no registration holds it), 2 access (the registration does not allow it), 3 key (of
 * another registration); of an ACK also 4 damaged. A refused WRITE is followed by its payload all
 * the same, which the responder drops: the stream stays in step. A length is no more than what was
 * granted. How a requester cuts or joins what it was asked to move is its own affair: adjacent
 * writes may be one WRITE.
 *
 * <p>A WRITE is acknowledged when each of its bytes is in the registered memory, and not before. A
 * responder applies nothing that follows a FENCE until the stale link, with all its streams, can
 * change no memory any more: what had arrived of it was applied before, the rest is dropped, and
 * the link is refused if it, or another stream of it, appears. A requester may fence links of its
 * own generation only, and not the one that it speaks on. Order holds within a stream only: one
 * whose link has several sends the fence on each stream that is to carry what it protects.
 *
 * <h3>Checksums</h3>
 *
 * <p>A payload goes straight into memory, and its checksum is taken as it lands. So a WRITE that
 * was damaged on its way has been applied, as it came, when that is found: the answer is an ACK
 * with status 4, the bytes at the destination are undefined until the write is redone, and the
 * requester takes it for a write with a possible effect. A READ that was damaged has changed the
 * requester's local memory; it counts as failed, and never as arrived. Either way the stream goes
 * on. Memory that its owner changes while it is sent does not match its checksum, and is told the
 * same.
 *
 * <h3>Silence</h3>
 *
 * <p>A requester of version 2 that has promised not to be silent sends a PING on a stream that was
 * idle for that long; a responder may drop a stream that stays idle for three times the promise
 * (BYE 9). Whoever gets no answer to a PING in time takes the remote for gone.
 *
 * <p>What breaks these rules, a header whose CRC is wrong among it, ends the stream: the responder
 * says BYE with a status (1 bad header, 2 bad type, 3 out of order, 4 bad length, 5 bad fence, 6 no
 * progress, 7 closing, 8 internal error, 9 silent, 10 more requests at once than granted) where it
 * still can; the requester just closes. A status that is not known means no more than that the
 * stream is over. A responder reads no further request while there is no room for its answer, so a
 * requester that never reads stalls nobody but itself; a requester goes on reading while it cannot
 * write.
 *
 * <h3>Two versions</h3>
 *
 * <p>The version is that of the verdict, so version 2 and its frames go only to a node that offered
 * it; a responder serves each stream in the version of its preamble. Version 1 has one stream for a
 * link, no promise of a sign of life, and no PING.
 */
package dev.shunt.transport.tcp.core;
