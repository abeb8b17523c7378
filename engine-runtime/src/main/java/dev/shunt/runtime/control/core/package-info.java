/** The control plane's frames, connections and negotiation: no thread, clock or socket. */
package dev.shunt.runtime.control.core;
