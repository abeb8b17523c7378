/**
 * Events of the JDK's flight recorder that only this transport has. What all transports have
 * (channels, rails, failed tries) the runtime records. None has a stack trace; without a recording
 * each costs a look at a flag.
 *
 * <pre>{@code
 * dev.shunt.rdma.DeviceEvent
 *     A device told of something by itself
 *     node: Whose event it is
 *     device: Its name
 *     event: What, by the name that verbs have for it
 *     subject: The number of the port or QP that it is about, or 0
 * dev.shunt.rdma.LinkChanged
 *     A connection with QPs changed its state
 *     node: Whose event it is
 *     link: Which one
 *     side: ours, where this node asked for it, or theirs
 *     state: As its life has it, in lower case
 * }</pre>
 */
package dev.shunt.transport.rdma.observe;
