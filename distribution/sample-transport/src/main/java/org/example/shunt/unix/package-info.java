/**
 * The transport. A node listens on a socket in each of its directories; its peers connect to it and
 * send requests, which it answers in their order.
 *
 * <h2>The stream</h2>
 *
 * All numbers are little-endian.
 *
 * <pre>
 * hello     int magic, int version, long generation and long attempt of the link, long generation of
 *           the node that is meant
 * welcome   int status, int 0
 * request   int operation (1 write, 2 read), int 0, long address, long length, long key; the bytes of
 *           a write follow
 * answer    int status, int 0, long length; the bytes of a read that was not refused follow
 * </pre>
 *
 * A write is answered when all its bytes are in memory. One that is refused is read to its end and
 * dropped, so that the stream stays in step.
 */
package org.example.shunt.unix;
