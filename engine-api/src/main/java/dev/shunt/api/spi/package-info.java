/**
 * The plug-ins' side: transports, metadata backends and policies, and what the runtime offers them.
 * Plug-ins and the runtime come in here; applications have no need to.
 */
package dev.shunt.api.spi;
