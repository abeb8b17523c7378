package dev.shunt.transport.nof;

import dev.shunt.api.spi.ConnectRequest;
import dev.shunt.transport.nof.core.NamespaceFacts;
import dev.shunt.transport.nof.core.QueueSetup;
import java.net.InetSocketAddress;

/**
 * What a lane needs to make an I/O qpair; a queue number of the controller is set aside for it.
 *
 * @param setup of the qpair
 * @param namespace that it is for
 * @param maxSlice the most bytes of a command
 */
record NofQueuePlan(
    ConnectRequest request,
    NofController controller,
    QueueSetup setup,
    NamespaceFacts namespace,
    long maxSlice,
    InetSocketAddress local,
    InetSocketAddress portal) {}
