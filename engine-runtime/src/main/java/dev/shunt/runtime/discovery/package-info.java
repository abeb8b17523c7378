/**
 * Finds providers: in the image's modules (or on the class path), then each jar or folder under
 * {@code plugins/} in a module layer of its own, then what is given in code. A provider that fails
 * costs nobody else anything; it is listed with its jar and the cause. One that hangs fails, too:
 * its code is called on a thread that is given up after {@code plugins.load-timeout} and left
 * behind, as is what it holds, unless it comes back after all; all are asked at the same time, so
 * that several that hang take no longer than one. Nothing here knows a plug-in by name. The
 * engine's assembly and {@code dev.shunt.runtime.config} come in.
 */
package dev.shunt.runtime.discovery;
