package dev.shunt.api;

/**
 * A notification that arrived. The wire that TENT peers speak does not say who sent it; a sender
 * that wants to be known says so in the message.
 *
 * @param notification what came
 * @param transport over what it came: a transport's id, or {@code control}
 */
public record ReceivedNotification(Notification notification, String transport) {}
