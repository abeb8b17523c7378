/**
 * What {@code distribution/lab/rdma-write} runs in the lab's virtual machine: the production
 * transport on real verbs.
 */
package dev.shunt.transport.rdma.lab;
