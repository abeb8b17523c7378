/**
 * One connection to a plain peer, as machines: what is asked, in which order answers come, which
 * ranges the peer has, and what is to be believed of an answer.
 */
package dev.shunt.runtime.plain.core;
