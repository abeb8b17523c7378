/**
 * What applications compile against: an {@link dev.shunt.api.Engine}, memory that it registers,
 * segments of remotes, batches of reads and writes with their outcomes, and notifications.
 *
 * <p>Interfaces, records and sealed outcomes only: no thread, no I/O. The runtime implements them;
 * nothing here depends on it. Plug-ins find their side in {@link dev.shunt.api.spi}.
 */
package dev.shunt.api;
