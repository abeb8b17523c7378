/**
 * The engine behind {@code dev.shunt.api}. It knows no plug-in by name; only the distribution and
 * tests depend on it. It provides nothing yet.
 */
package dev.shunt.runtime;
