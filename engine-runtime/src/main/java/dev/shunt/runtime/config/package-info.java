/**
 * Configuration: laid over the modules' defaults, resolved, held strictly against those defaults,
 * and read into records. What is wrong is told with file, line and what would be right. The
 * engine's assembly comes in; no plug-in does.
 */
package dev.shunt.runtime.config;
