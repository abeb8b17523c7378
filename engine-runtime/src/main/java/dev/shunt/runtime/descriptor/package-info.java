/**
 * The text by which a node describes its memory to others: the segment descriptor of Mooncake's
 * TENT engine, complete, with one key more. What we write is read by TENT processes that die of a
 * missing key, so the writer leaves none out; what we read comes from strangers.
 *
 * <h2>The key {@code shunt}</h2>
 *
 * <p>It stands at the top of the descriptor, where a TENT reader ignores it:
 *
 * <pre>{@code
 * "shunt": {
 *   "version": 1,
 *   "generation": "7689040871221231615",
 *   "control": ["10.0.0.1:15100", "10.0.1.1:15101"],
 *   "transports": {
 *     "tcp": {"rails": [{"name": "10.0.0.1", "attributes": {"port": "15300"}}]}
 *   },
 *   "buffers": [
 *     {"address": 140737168515072, "length": 1048576, "access": "REMOTE_READ_WRITE",
 *      "keys": {"tcp": ["17"]}}
 *   ]
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@code version}, from 1. A reader takes a higher one than its own, and passes over what it
 *       does not know.
 *   <li>{@code generation}, and each key: 64 bits, unsigned, as decimal digits in a string, since
 *       many readers of JSON keep numbers to 53 bits.
 *   <li>{@code control}: where the control plane listens, at least one address; any will do.
 *   <li>{@code transports}: for each transport's id its rails in their fixed order, with what the
 *       transport tells of each. A rail that is out of use keeps its place.
 *   <li>{@code buffers} pairs by place with {@code detail.buffers}, and repeats address and length.
 *       {@code keys} has for a transport as many keys as it has rails; a transport that has no key
 *       for a buffer is left out.
 * </ul>
 */
package dev.shunt.runtime.descriptor;
