/**
 * The text by which a node describes its memory to others: the segment descriptor of Mooncake's
 * TENT engine, complete, with one key more. What we write is read by TENT processes that die of a
 * missing key, so the writer leaves none out; what we read comes from strangers.
 *
 * <h2>TENT's part</h2>
 *
 * <p>The keys of {@code tent/include/tent/runtime/segment.h} in the public repository
 * kvcache-ai/Mooncake, commit 3b5a594133958449a1feaf1c9e0fc1b553e34a28, in alphabetical order as
 * its JSON library writes them:
 *
 * <pre>{@code
 * {"detail":{
 *    "buffers":[{"addr":123145302310912,"internal":false,"length":1048576,"location":"cpu:0",
 *                "mnnvl_handle":"","regions":[],"rkey":[],"shm_path":"","transport_attrs":[],
 *                "transports":[7]}],
 *    "device_attrs":{},"devices":[],"topology":"{ ... }","transport_attrs":[]},
 *  "machine_id":"","name":"10.0.0.1:15100","rpc_server_addr":"10.0.0.1:15100","type":"memory"}
 * }</pre>
 *
 * <ul>
 *   <li>A reader of TENT demands all of them but {@code topology} and the {@code transport_attrs}
 *       of {@code detail}, and each with its type; it passes over others, at every level.
 *   <li>{@code transports} are TENT's numbers; 7 is TCP, that is SendData and RecvData. Each buffer
 *       of ours that others may reach has it, whatever our own transports know of the buffer; how
 *       far a peer may go there, its access tells us, not the peer.
 *   <li>Maps by number, as {@code transport_attrs}, are lists of pairs; maps by text are objects.
 *   <li>{@code topology} is a JSON text in a string, in lines. A device that is out of use keeps
 *       its place in {@code devices}, since {@code rkey} pairs with them, and in the topology's
 *       {@code nics}; no list of what is near to a memory has it.
 * </ul>
 *
 * <p>With {@code control.extension = off} the text is byte for byte what a TENT node with this
 * memory would write, but for {@code machine_id}, which we leave empty.
 *
 * <h2>The key {@code shunt}</h2>
 *
 * <p>It stands at the top of the descriptor, where a TENT reader ignores it:
 *
 * <pre>{@code
 * "shunt": {
 *   "version": 1,
 *   "generation": "7689040871221231615",
 *   "revision": 3,
 *   "control": ["10.0.0.1:15100", "10.0.1.1:15101"],
 *   "transports": {
 *     "tcp": {"rails": [{"name": "10.0.0.1", "attributes": {"port": "15300"}},
 *                       {"name": "10.0.1.1", "attributes": {"port": "15301"}, "inactive": true}],
 *             "topology": {"cpu:0": [["10.0.0.1"], ["10.0.1.1"]]}}
 *   },
 *   "buffers": [
 *     {"address": 140737168515072, "length": 1048576, "access": "REMOTE_READ_WRITE",
 *      "keys": {"tcp": ["17", "17"]}}
 *   ],
 *   "echo": {"address": 140737168510976, "length": 64, "keys": {"tcp": ["15", "15"]}}
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@code version}, from 1. A reader takes a higher one than its own, and passes over what it
 *       does not know.
 *   <li>{@code generation}, and each key: 64 bits, unsigned, as decimal digits in a string, since
 *       many readers of JSON keep numbers to 53 bits.
 *   <li>{@code revision}: a number that grows with each text that this generation tells. A reader
 *       that knows a higher one of the same generation leaves the text alone: it was overtaken. May
 *       be missing, and says nothing then.
 *   <li>{@code control}: where the control plane listens, at least one address; any will do.
 *   <li>{@code transports}: for each transport's id its rails in their fixed order, with what the
 *       transport tells of each. A rail that is out of use (its link is down, it is being checked,
 *       an operator drained it) keeps its place, and has {@code "inactive": true}; a reader begins
 *       nothing new with it, and leaves what it has there. When it is back the key is gone again,
 *       and its attributes may be others. {@code topology} says which of them are near to which
 *       memory, by the {@code location} of a buffer, {@code *} for all that are not named: two
 *       lists of names, of preferred rails and of those that are taken when none of these can be.
 *       What is in neither is not used for it; a name that is no rail's is passed over. May be
 *       missing: then all are preferred.
 *   <li>{@code buffers} pairs by place with {@code detail.buffers}, and repeats address and length.
 *       {@code keys} has for a transport as many keys as it has rails; a transport that has no key
 *       for a buffer is left out.
 *   <li>{@code echo}: memory that is none of the application's, to be read by {@code link.echo}
 *       ({@link dev.shunt.runtime.control} tells what stands in it), of 64 bytes or more. Its keys
 *       are as those of a buffer. May be missing.
 * </ul>
 *
 * <p>{@code revision}, {@code inactive}, {@code topology} and {@code echo} came later than the rest
 * of version 1: an older reader passes over them, and an older writer leaves them out.
 */
package dev.shunt.runtime.descriptor;
