/**
 * The engine: what applications hold, and how it is put together from configuration, providers and
 * a platform. Everything else in this module is a part that knows nothing of the whole.
 */
package dev.shunt.runtime.engine;
