/**
 * What decides, without a thread, a clock or a verb of its own: the life of an endpoint, of a rail
 * and of links that are fenced, what a completion's status means, which GID and MTU to use. The
 * owner of each object is whoever made it; nothing here is shared between threads.
 */
package dev.shunt.transport.rdma.core;
