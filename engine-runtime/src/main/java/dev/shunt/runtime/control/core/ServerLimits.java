package dev.shunt.runtime.control.core;

/**
 * What one inbound connection may cost. Times are nanoseconds.
 *
 * @param maxAttachment most bytes of one attachment
 * @param maxPending most requests that are not answered yet
 * @param maxUnsent bytes that wait to be sent before the next request is read
 * @param progressTimeout how long a half frame, or unsent bytes, may stand still
 * @param requestTimeout how long a request may go unanswered
 */
public record ServerLimits(
    int maxAttachment, int maxPending, long maxUnsent, long progressTimeout, long requestTimeout) {}
