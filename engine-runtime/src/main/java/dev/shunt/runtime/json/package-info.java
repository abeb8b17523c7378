/**
 * JSON from strangers: read strictly and within bounds, as a stream, with errors that say what is
 * wrong and where. Everything of this module that reads or writes JSON on a wire comes through
 * here.
 */
package dev.shunt.runtime.json;
