/**
 * Other nodes, and targets: how they are found and met, what was agreed with them, and the segments
 * that applications hold. All of it is kept by the steward's thread.
 */
package dev.shunt.runtime.peer;
