/**
 * Nodes in processes of their own, on this JVM and class path, whose lanes a test may hold, and
 * whose conversations it may record. What needs an image, or a namespace, is in distribution.
 */
package dev.shunt.runtime.process;
