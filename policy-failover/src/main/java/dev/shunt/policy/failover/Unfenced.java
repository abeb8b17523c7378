package dev.shunt.policy.failover;

import java.time.Duration;

/**
 * What becomes of a sent write that nobody can fence.
 *
 * @param complete whether it is redone; otherwise it fails
 * @param grace how long after the end of the old attempt the redo counts
 */
record Unfenced(boolean complete, Duration grace) {}
