/**
 * The TCP transport: pipelined, acknowledged streams straight from and into registered memory. Only
 * this module comes in here; the runtime sees the provider. It provides nothing yet.
 */
package dev.shunt.transport.tcp;
