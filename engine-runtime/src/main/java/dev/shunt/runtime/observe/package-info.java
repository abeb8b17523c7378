/**
 * What people see of a node: events of the JDK's flight recorder, and metrics. Every change of
 * state is an event and a count; a request is one event when it took long, and a try that failed is
 * one; a slice that goes well is none. Without a recording an event costs a look at a flag.
 *
 * <h2>Metrics</h2>
 *
 * Served at {@code /metrics} (see {@code dev.shunt.runtime.admin}), each engine of a JVM its own.
 * No label has a value for each peer, so the number of series is that of transports, operations and
 * functions, whatever the cluster. Times are in seconds, sizes in bytes.
 *
 * <pre id="metrics">{@code
 * shunt_node_info{node,generation} gauge
 *     Always 1; who this is
 * shunt_node_start_time_seconds gauge
 *     When it was started, since 1970
 * shunt_node_ready gauge
 *     1 while it is started, published and not draining
 * shunt_agents_stuck gauge
 *     Threads of the engine that make no progress
 * shunt_state_changes_total{subject,state} counter
 *     Changes of state
 * shunt_transfer_requests_total{transport,operation,outcome} counter
 *     Requests of this node that ended
 * shunt_transfer_duration_seconds{transport,operation} histogram
 *     From the submission of a request of this node to its end
 * shunt_transfer_bytes_total{transport,operation,direction} counter
 *     Bytes that this node asked for and got moved (outbound), and that peers were let in to
 *     move (inbound; RDMA hardware serves without telling)
 * shunt_transfer_rejected_total counter
 *     Requests that ended before a lane took them: wrong in themselves, stale, or too late
 * shunt_slices_completed_total{transport} counter
 *     Slices that completed
 * shunt_slices_completed_bytes_total{transport} counter
 *     Bytes of slices that completed
 * shunt_attempts_failed_total{transport} counter
 *     Tries of slices that failed
 * shunt_slices_redone_total{transport} counter
 *     Slices posted again
 * shunt_slices_handed_off_total{transport,changes} counter
 *     Slices that failed and were to go on by another rail
 * shunt_requests_moved_total{transport} counter
 *     Requests that went on by another transport
 * shunt_unfenced_total{transport} counter
 *     Redone writes that waited for a grace, as nobody could fence the old attempt
 * shunt_late_reports_total{transport} counter
 *     Reports for slices whose request had ended
 * shunt_in_flight_bytes{transport} gauge
 *     Bytes posted now
 * shunt_queued_requests{transport} gauge
 *     Requests that have not ended
 * shunt_draining_bytes{transport} gauge
 *     Bytes of slices that drain now
 * shunt_quarantined_bytes{transport} gauge
 *     Bytes of slices that never drained
 * shunt_quarantined_remote_bytes{transport} gauge
 *     Those of them that may still land, and whose memory here was given back
 * shunt_inbound_requests_total{transport,operation} counter
 *     Requests of peers that were let in to memory
 * shunt_inbound_refused_total{transport,reason} counter
 *     Requests of peers that were refused
 * shunt_channels_up_total{transport} counter
 *     Channels that came up
 * shunt_channels_down_total{transport} counter
 *     Channels that went down
 * shunt_connects_failed_total{transport} counter
 *     Channels that could not be had
 * shunt_channels_stalled_total{transport} counter
 *     Channels retired because a slice stalled
 * shunt_fences_total{transport} counter
 *     Links that a remote was asked to refuse
 * shunt_stood_still_total counter
 *     Times that this process did not run for a while
 * shunt_rails{transport,state} gauge
 *     Rails of this node
 * shunt_transport_detail{transport,kind,name,what} gauge
 *     What a transport counts of its devices, ports and the like
 * shunt_paths_paused{transport} gauge
 *     Paths that rest
 * shunt_peers gauge
 *     Nodes and targets that are known
 * shunt_peers_unreachable gauge
 *     Nodes whose control plane does not answer
 * shunt_control_calls_total{function} counter
 *     Calls to peers
 * shunt_control_calls_failed_total{function} counter
 *     Calls to peers that ended without a reply
 * shunt_control_served_total{function} counter
 *     Calls of peers
 * shunt_control_calls_outstanding gauge
 *     Calls to peers that have not ended
 * shunt_control_connections{direction} gauge
 *     Connections of the control plane
 * shunt_registered_buffers gauge
 *     Buffers that are registered
 * shunt_registered_bytes gauge
 *     Bytes that are registered
 * shunt_inbox_notifications gauge
 *     Notifications that wait for the application
 * }</pre>
 *
 * <h2>Events</h2>
 *
 * Besides their own fields they have those of every event; none has a stack trace. {@code node} is
 * the name of the engine's node, empty before that is known. Settings of a recording may change the
 * threshold, as in {@code dev.shunt.Transfer#threshold=1ms}.
 *
 * <pre id="events">{@code
 * dev.shunt.AgentChanged
 *     A thread of the engine makes no progress, or does again
 *     node: Whose event it is
 *     agent: Its name
 *     state: stuck or moving
 *     silence: How long it made none
 * dev.shunt.AttemptFailed
 *     One try of a slice on one path that failed
 *     node: Whose event it is
 *     peer: The remote's name
 *     transport: Its id
 *     localRail: Our rail
 *     remoteRail: The remote's rail
 *     operation: WRITE or READ
 *     bytes: The slice's length
 *     attempt: Counted from 1 for the slice
 *     code: The fault's
 *     blame: LOCAL, REMOTE, NEUTRAL or REQUEST
 *     cause: As the transport told it
 * dev.shunt.ChannelChanged
 *     A channel is there, or is over
 *     node: Whose event it is
 *     peer: The remote's name
 *     transport: Its id
 *     localRail: Our rail
 *     remoteRail: The remote's rail
 *     state: up or down
 *     cause: Why, or empty
 * dev.shunt.DescriptorPublished
 *     What this node tells of itself was written anew
 *     node: Whose event it is
 *     bytes: Its length
 * dev.shunt.NodeChanged
 *     What this node is at
 *     node: Whose event it is
 *     generation: Unsigned, 0 for a target or a plain peer
 *     state: starting, ready, draining or stopped
 *     cause: Why, or empty
 * dev.shunt.PathChanged
 *     A path rests, or is used again
 *     node: Whose event it is
 *     peer: The remote's name
 *     transport: Its id
 *     localRail: Our rail
 *     remoteRail: The remote's rail
 *     state: paused or resumed
 *     rest: How long it rests
 *     cause: Why, or empty
 * dev.shunt.PeerChanged
 *     A remote was met, answers no more or again, closes, is another one, or was forgotten
 *     node: Whose event it is
 *     peer: The remote's name
 *     generation: Unsigned, 0 for a target or a plain peer
 *     state: met, unreachable, reachable, closing, stale or forgotten
 *     cause: Why, or empty
 * dev.shunt.PluginRefused
 *     A plug-in was found and is not used
 *     node: Whose event it is
 *     kind: transport, metadata, failover or plugin
 *     plugin: Its id, or its class
 *     origin: Its module and where that came from
 *     cause: Why, or empty
 * dev.shunt.RailChanged
 *     A rail of this node cannot be used, was found not to work yet, or can be used again
 *     node: Whose event it is
 *     transport: Its id
 *     rail: Its name
 *     state: active, inactive, recovering, check_failed, drained or readdressed
 *     cause: Why, or empty
 * dev.shunt.RequestMoved
 *     A request goes on as a whole by another transport
 *     node: Whose event it is
 *     peer: The remote's name
 *     transport: The id of that which it leaves
 *     next: The id of that which it goes on by
 *     operation: WRITE or READ
 *     bytes: Its length
 *     attempts: How often pieces of it were posted so far
 * dev.shunt.SliceHandedOff
 *     A slice that failed goes on by another rail of this node, or of the remote
 *     node: Whose event it is
 *     peer: The remote's name
 *     transport: Its id
 *     localRail: Our rail, where it failed
 *     remoteRail: The remote's rail, where it failed
 *     operation: WRITE or READ
 *     bytes: The slice's length
 *     attempt: How often it was posted so far
 *     changes: local or remote: which of the two rails is another one next
 * dev.shunt.StoodStill
 *     This process did not run for a while; nobody else is blamed for what ended meanwhile
 *     node: Whose event it is
 *     silence: How long it stood still
 * dev.shunt.Transfer
 *     A request from its submission to its end
 *     node: Whose event it is
 *     peer: The remote's name
 *     transport: Its id
 *     operation: WRITE or READ
 *     bytes: Its length
 *     slices: How many pieces were cut of it
 *     attempts: How often pieces of it were posted
 *     outcome: COMPLETED, FAILED, TIMED_OUT or CANCELLED
 *     code: The failure's, or empty
 *     queueTime: Until a piece was posted first
 *     wireTime: From then on
 * dev.shunt.TransportChanged
 *     A transport started, or could not
 *     node: Whose event it is
 *     transport: Its id
 *     state: started or failed
 *     rails: How many it has
 *     cause: Why, or empty
 * dev.shunt.UnfencedWrite
 *     A redone write counts as done by patience: nobody could refuse its old attempt
 *     node: Whose event it is
 *     peer: The remote's name
 *     transport: Its id
 *     bytes: Its length
 * }</pre>
 */
package dev.shunt.runtime.observe;
